/** Field case 40: whether somebody stands still because of a slow model is seen, in the panel and on the map. */
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TWO_NEIGHBOURS, serve } from './served.ts';
import { drawn, expect, test } from './story.ts';

test('who waits for a model is marked, until it answers', async ({ page, folder }) => {
  // A model that answers nobody until it is told to, and then nothing of use: the rules step in.
  const held: (() => void)[] = [];
  let answering = false;
  const model = createServer((request, response) => {
    request.resume();
    const answer = (): void => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: '{}' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } }));
    };
    if (answering) answer();
    else held.push(answer);
  });
  await new Promise<void>((listening) => model.listen(0, '127.0.0.1', listening));
  const { port } = model.address() as AddressInfo;
  writeFileSync(
    join(folder, 'models.toml'),
    `[thinking]\nmodel = "server:slow"\nbase_url = "http://127.0.0.1:${port}/v1"\nwindow_tokens = 32000\ntimeout_seconds = 600.0\n`,
  );
  const town = await serve(folder, ['run', TWO_NEIGHBOURS, '--days', '365', '--out', 'slow.run', '--port', '0', '--models', 'models.toml']);
  try {
    const waits = page.locator('header').getByText('Waiting for the model…');
    await page.goto(town.link);
    await expect(page.locator('#mode')).toHaveText('LIVE');
    await expect(page.getByText('Nothing has happened yet.')).toBeVisible();
    await expect(waits).toBeVisible();
    // The order is taken as soon as the tick at hand is done.
    const slowed = page.request.post(new URL('api/control', town.link).href, { data: { command: 'speed', speed: 600 } });
    answering = true;
    for (const answer of held.splice(0)) answer();
    await slowed;
    await drawn(page);
    await expect(waits).toBeHidden();

    // In the middle of the day too; and the page can be used meanwhile.
    answering = false;
    await expect(waits).toBeVisible();
    for (const name of ['Nora Lindqvist', 'Théo Baptiste']) {
      await page.locator('.who select').selectOption({ label: name });
      await expect(page.locator('#panel-body').getByRole('heading', { level: 2 })).toHaveText(name);
      if ((await page.locator('#panel-body').getByText('waiting for a model').count()) > 0) break;
    }
    await expect(page.locator('#panel-body').getByText('waiting for a model')).toBeVisible();
    answering = true;
    for (const answer of held.splice(0)) answer();
    await expect(waits).toBeHidden();
  } finally {
    await town.kill();
    model.closeAllConnections();
    model.close();
  }
});
