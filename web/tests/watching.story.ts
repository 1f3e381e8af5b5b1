import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, expect } from '@playwright/test';
import { TWO_NEIGHBOURS, compute, moment, serve, spot, test, tile } from './served.ts';

test('a finished run: every moment of it is there, and nothing is asked of anybody else', async ({ page, folder, outside, faults }) => {
  compute(folder, TWO_NEIGHBOURS, 1200, 'calm.run');
  const served = await serve(folder, ['serve', 'calm.run', '--port', '0']);
  try {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(served.link);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two Neighbours');
    await expect(page.locator('#map')).toBeVisible();
    for (const resident of [0, 1]) await spot(page, resident);
    await expect(page.getByText('Residents are computer programs.').first()).toBeVisible();

    // The beginning, the middle, the end; past the end and before the beginning are told, and the nearest shown.
    const first = await (await page.request.get(`${served.link.replace(/\/$/, '')}/api/state?tick=0`)).json();
    for (const [wished, tick] of [
      [0, 0],
      [600, 600],
      [1199, 1199],
      [1200, 1199],
      [-1, 0],
    ] as const) {
      await page.evaluate((t) => (location.hash = `#t=${t}`), wished);
      await expect(page.locator('#clock')).toHaveAttribute('data-tick', String(tick));
      if (wished !== tick) await expect(page.getByText('That moment is not in this run')).toBeVisible();
    }
    expect((await moment(page)).clock).toBe(new Date(first.time * 1000).toISOString().slice(11, 16));

    // At its end the run stands still, elsewhere one looks at the past.
    expect((await moment(page)).mode).toBe('REPLAY');
    await page.getByRole('button', { name: 'To the end' }).click();
    await expect(page.locator('#mode')).toHaveText('PAUSED');
    // The large button says what it does: from here it can only begin again.
    await expect(page.locator('#play')).toHaveAccessibleName('Play from the beginning');
    await page.locator('#play').click();
    await expect(page.locator('#play')).toHaveAccessibleName('Pause');
    await expect(page.locator('#mode')).toHaveText('REPLAY');
    await page.locator('#play').click();
    await expect(page.locator('#play')).toHaveAccessibleName('Play');
    await page.getByRole('button', { name: 'To the end' }).click();

    // Whoever is clicked on the map is shown beside it, and a link leads back to them and to this moment.
    // Where they are drawn is asked once the map shows this moment and not the one before.
    const last = (await (await page.request.get(`${served.link}api/state?tick=1199`)).json()).residents as { id: number; x: number; y: number }[];
    const stands = last.find(({ id }) => id === 1);
    await expect.poll(() => tile(page, 1)).toEqual({ x: stands?.x, y: stands?.y });
    const there = await spot(page, 1);
    const box = (await page.locator('#map').boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(box.x + there.x, box.y + there.y);
    await expect(page.getByRole('tab', { name: 'Resident' })).toHaveAttribute('aria-selected', 'true');
    await expect(page).toHaveURL(/#t=1199&r=1&run=[0-9a-f]+$/);
    await page.reload();
    await expect(page.locator('#clock')).toHaveAttribute('data-tick', '1199');
    await expect(page.getByRole('tab', { name: 'Resident' })).toHaveAttribute('aria-selected', 'true');
  } finally {
    await served.stop();
  }
  expect(outside).toEqual([]);
  expect(faults).toEqual([]);
});

/** Field case 47: a replay places people where the step asked for left them, and its clock is the run's own. */
test('a short run that began at a quarter past six: clock and places are those of the step asked for', async ({ page, folder, faults, outside }) => {
  const early = join(folder, 'early');
  cpSync(TWO_NEIGHBOURS, early, { recursive: true });
  const settings = join(early, 'town.toml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace(/start = "(\S+) \S+"/, 'start = "$1 06:15"'));
  compute(folder, early, 40, 'early.run');
  const served = await serve(folder, ['serve', 'early.run', '--port', '0']);
  try {
    for (const [wished, tick, clock] of [
      [0, 0, '06:15'],
      [25, 25, '06:19'],
      [39, 39, '06:21'],
      [40, 39, '06:21'],
      [-1, 0, '06:15'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${served.link}#t=${wished}`);
      await spot(page, 0);
      expect(await moment(page)).toEqual({ mode: tick === 39 ? 'PAUSED' : 'REPLAY', tick, clock });
      await expect(page.getByText('That moment is not in this run')).toHaveCount(wished === tick ? 0 : 1);
      const state = await (await page.request.get(`${served.link}api/state?tick=${tick}`)).json();
      for (const { id, x, y } of state.residents as { id: number; x: number; y: number }[]) expect(await tile(page, id)).toEqual({ x, y });
    }
  } finally {
    await served.stop();
  }
  expect([...faults, ...outside]).toEqual([]);
});

test('playing moves residents and time, and the keys do what hands do', async ({ page, folder, faults }) => {
  compute(folder, TWO_NEIGHBOURS, 1200, 'walk.run');
  const served = await serve(folder, ['serve', 'walk.run', '--port', '0', '--read-only']);
  try {
    await page.goto(`${served.link}#t=100`);
    await spot(page, 0);
    await page.locator('#speed').selectOption('600');
    await page.locator('#play').click();
    await expect.poll(async () => (await moment(page)).tick).toBeGreaterThan(160);
    await page.locator('#play').click();
    const { tick } = await moment(page);

    await page.locator('#map').focus();
    await page.keyboard.press('.');
    expect((await moment(page)).tick).toBe(tick + 1);
    await page.keyboard.press(',');
    expect((await moment(page)).tick).toBe(tick);
    await page.locator('#timeline').focus();
    await page.keyboard.press('PageUp');
    expect((await moment(page)).tick).toBe(tick + 360);
    await page.keyboard.press('End');
    expect((await moment(page)).tick).toBe(1199);
    await page.keyboard.press('Home');
    expect((await moment(page)).tick).toBe(0);

    // Zoom by keys moves people apart.
    const apart = async (): Promise<number> => {
      const [a, b] = [await spot(page, 0), await spot(page, 1)];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    await page.locator('#map').focus();
    await page.keyboard.press('0');
    // They may still be on their way to where they were at that moment.
    const moved = async (): Promise<number> => {
      const was = await apart();
      await page.waitForTimeout(250);
      return Math.abs((await apart()) - was);
    };
    await expect.poll(moved).toBeLessThan(0.5);
    const before = await apart();
    await page.keyboard.press('+');
    await expect.poll(apart).toBeGreaterThan(before * 1.1);
  } finally {
    await served.stop();
  }
  expect(faults).toEqual([]);
});

/** Field cases 42 and 43, and what a run is told from the page. */
test('a run that goes on: reloads and second tabs see the head, and the run needs none of them', async ({ page, context, folder, faults }) => {
  const served = await serve(folder, ['run', TWO_NEIGHBOURS, '--days', '365', '--out', 'long.run', '--port', '0']);
  const { origin } = new URL(served.link);
  const head = async (): Promise<number> => (await (await page.request.get(`${origin}/api/run`)).json()).head ?? -1;
  try {
    // Nobody watches yet, and it goes on. Slow enough to be watched from now on.
    await expect.poll(head).toBeGreaterThan(50);
    await page.request.post(`${origin}/api/control`, { data: { command: 'speed', speed: 600 }, headers: { origin } });
    const late = await head();
    await page.goto(served.link);
    await expect(page.locator('#mode')).toHaveText('LIVE');
    await expect.poll(async () => (await moment(page)).tick).toBeGreaterThanOrEqual(late);
    for (let i = 0; i < 5; i += 1) {
      const before = (await moment(page)).tick;
      await page.reload();
      await expect(page.locator('#mode')).toHaveText('LIVE');
      await expect.poll(async () => (await moment(page)).tick).toBeGreaterThan(before);
    }
    const second = await context.newPage();
    await second.goto(served.link);
    await expect(second.locator('#mode')).toHaveText('LIVE');
    for (const each of [second, page]) {
      await each.bringToFront();
      const there = await head();
      await expect.poll(async () => (await moment(each)).tick).toBeGreaterThanOrEqual(there);
    }

    // Looking back says so; the way to the head is one button.
    await page.locator('#timeline').focus();
    await page.keyboard.press('Home');
    await expect(page.locator('#mode')).toHaveText('REPLAY');
    await page.getByRole('button', { name: 'Back to live' }).click();
    await expect(page.locator('#mode')).toHaveText('LIVE');
    // A link without a moment leads there too, and the address follows who is looked at while time goes on.
    await page.keyboard.press('Home');
    await page.evaluate(() => (location.hash = '#r=1'));
    await expect(page.locator('#mode')).toHaveText('LIVE');
    const who = page.locator('.who select');
    await expect(who.locator('option:checked')).toHaveText('Théo Baptiste');
    await who.selectOption('Nora Lindqvist');
    await expect(page).toHaveURL(/#r=0&run=/);
    await expect(page.locator('#mode')).toHaveText('LIVE');

    // The run obeys the page.
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Pause the run' }).click();
    await expect(page.locator('#mode')).toHaveText('PAUSED');
    await expect(page.locator('#play')).toHaveAccessibleName('Play from the beginning');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved: long.run')).toBeVisible();
    await page.getByRole('button', { name: 'Fork at the moment shown' }).click();
    await expect(page.getByText(/Forked into \S+\.run/)).toBeVisible();
    const stands = await head();
    await page.getByRole('button', { name: 'One tick', exact: true }).click();
    await expect.poll(head).toBe(stands + 1);
    // The menu gives the focus back to what opened it.
    await page.keyboard.press('Escape');
    const menu = page.getByRole('button', { name: 'Run', exact: true });
    await expect(menu).toBeFocused();
    await menu.press('Enter');
    // An end that lies in the past is said to, for as long as it does.
    const until = page.getByLabel('Run until');
    const wished = await until.inputValue();
    await until.fill('2024-09-01T00:00');
    await expect(page.getByText('That is not after the end of the run.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Go', exact: true })).toBeDisabled();
    await until.fill(wished);
    await expect(page.getByText('That is not after the end of the run.')).toBeHidden();
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect(page.locator('#mode')).toHaveText('LIVE');
    await expect(page.locator('#play')).toHaveAccessibleName('Pause');

    // Without anybody it still goes on.
    await second.close();
    await page.goto('about:blank');
    const alone = await head();
    await expect.poll(head).toBeGreaterThan(alone);
  } finally {
    await served.stop();
  }
  expect(faults).toEqual([]);
});

test('a run that another process computes is watched here, and steered there', async ({ page, folder, faults }) => {
  const there = await serve(folder, ['run', TWO_NEIGHBOURS, '--days', '365', '--out', 'long.run', '--port', '0', '--speed', '600']);
  const here = await serve(folder, ['serve', 'long.run', '--port', '0']);
  try {
    await page.goto(here.link);
    await spot(page, 0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const menu = page.locator('#run-menu');
    await expect(menu.getByText('Another process computes this run.')).toBeVisible();
    await expect(menu.getByRole('button')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Take part' }).click();
    await expect(page.getByText('nothing can be done to the town until that has ended')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Whisper' })).toHaveCount(0);
    await there.stop();
    // Once it has ended, the run goes on from here.
    await expect(page.getByRole('heading', { name: 'Whisper' })).toBeVisible();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(menu.getByRole('button', { name: 'Go on' })).toBeVisible();
  } finally {
    await there.stop();
    await here.stop();
  }
  expect(faults).toEqual([]);
});

test('a link leads to what is open, and to who is looked at beside it', async ({ page, context, folder, faults }) => {
  // Five pages, of which the machine draws each by itself.
  test.slow();
  compute(folder, 'osier_quay', 2400, 'linked.run');
  const served = await serve(folder, ['serve', 'linked.run', '--port', '0']);
  try {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${served.link}#t=2300&r=1`);
    await spot(page, 1);
    const panel = page.locator('#panel-body');
    /** Opens the address of the page in another tab, once it says so. */
    const follow = async (says: RegExp): Promise<Page> => {
      await expect(page).toHaveURL(says);
      const other = await context.newPage();
      await other.emulateMedia({ reducedMotion: 'reduce' });
      await other.goto(page.url());
      await expect(other.locator('#clock')).toHaveAttribute('data-tick', '2300');
      await expect(other.locator('.who select').locator('option:checked')).toHaveText('Agnes Thorvaldsen');
      return other;
    };

    await page.getByRole('tab', { name: 'Talk' }).click();
    const card = panel.locator('article', { has: page.locator('button.link') }).first();
    const words = await card.locator('.first').innerText();
    await card.locator('button.link').first().click();
    let other = await follow(/#t=2300&r=1&talk=\d+&run=[0-9a-f]+$/);
    await expect(other.locator('#panel-body ol > li').first()).toContainText(words);
    await other.close();

    // Back with the resident, from whom an object is one step.
    await page.getByRole('tab', { name: 'Resident' }).click();
    await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Agnes Thorvaldsen');
    const { places } = (await (await page.request.get(`${served.link}api/map`)).json()) as { places: { id: number; kind: string; name: string }[] };
    const object = places.find((place) => place.kind === 'object')!;
    await page.evaluate((id) => (location.hash = `#t=2300&r=1&object=${id}`), object.id);
    other = await follow(new RegExp(`#t=2300&r=1&object=${object.id}&run=[0-9a-f]+$`));
    await expect(other.locator('#panel-body').getByRole('heading', { level: 2 })).toHaveText(object.name);
    await other.close();

    await page.getByRole('tab', { name: 'Town' }).click();
    await page.getByRole('heading', { name: 'News, and how it travels' }).click();
    await panel.getByLabel('A piece of news, or any words').fill('apples & jam');
    await panel.getByRole('button', { name: 'Who knows?' }).click();
    other = await follow(/#t=2300&r=1&news=apples\+%26\+jam&run=[0-9a-f]+$/);
    await expect(other.getByLabel('A piece of news, or any words')).toHaveValue('apples & jam');
    await expect(other.locator('#panel-body').getByText(/memories mention it/)).toBeVisible();
    await other.close();

    await page.getByRole('tab', { name: 'Take part' }).click();
    other = await follow(/#t=2300&r=1&tab=take_part&run=[0-9a-f]+$/);

    // What a link names that is not there is told.
    await other.evaluate(() => (location.hash = '#t=2300&r=999'));
    await expect(other.getByRole('alert')).toHaveText(/Nobody in this run/);
    await other.evaluate(() => (location.hash = '#t=2300&r=1&run=0123456789abcdef'));
    await expect(other.getByRole('alert')).toHaveText(/another run/);
  } finally {
    await served.stop();
  }
  expect(faults).toEqual([]);
});

test('the server goes away and comes back', async ({ page, folder }) => {
  compute(folder, TWO_NEIGHBOURS, 400, 'away.run');
  const first = await serve(folder, ['serve', 'away.run', '--port', '0']);
  const port = new URL(first.link).port;
  await page.goto(`${first.link}#t=100`);
  await spot(page, 0);
  await first.stop();
  await expect(page.getByRole('alert').filter({ hasText: 'The server is away' })).toBeVisible();
  // What was loaded can still be looked at.
  await page.locator('#map').focus();
  await page.keyboard.press('.');
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', '101');
  // What was not, comes as soon as it is back.
  await page.locator('.who select').selectOption('Théo Baptiste');
  const panel = page.locator('#panel-body');
  await expect(panel.getByRole('alert').first()).toContainText('The server does not answer.');
  const second = await serve(folder, ['serve', 'away.run', '--port', port]);
  try {
    await expect(page.getByRole('alert').filter({ hasText: 'The server is away' })).toBeHidden({ timeout: 30_000 });
    await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Théo Baptiste');
    await expect(panel.getByRole('alert')).toHaveCount(0);
  } finally {
    await second.stop();
  }
});
