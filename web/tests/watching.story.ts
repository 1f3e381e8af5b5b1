import { expect } from '@playwright/test';
import { TWO_NEIGHBOURS, compute, moment, serve, spot, test } from './served.ts';

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

    // Whoever is clicked on the map is shown beside it, and a link leads back to them and to this moment.
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
    const before = await apart();
    await page.keyboard.press('+');
    await expect.poll(apart).toBeGreaterThan(before * 1.1);
  } finally {
    await served.stop();
  }
  expect(faults).toEqual([]);
});

test('a run that goes on: reloads and second tabs see the head, and the run needs none of them', async ({ page, context, folder, faults }) => {
  const served = await serve(folder, ['run', TWO_NEIGHBOURS, '--days', '365', '--out', 'long.run', '--port', '0']);
  try {
    await page.goto(served.link);
    await expect(page.locator('#clock')).toBeVisible();
    // Slow enough to be watched.
    const origin = new URL(served.link).origin;
    await page.request.post(`${origin}/api/control`, { data: { command: 'speed', speed: 600 }, headers: { origin } });
    await page.reload();
    await expect(page.locator('#mode')).toHaveText('LIVE');
    for (let i = 0; i < 5; i += 1) {
      const before = (await moment(page)).tick;
      await page.reload();
      await expect(page.locator('#mode')).toHaveText('LIVE');
      await expect.poll(async () => (await moment(page)).tick).toBeGreaterThan(before);
    }
    const second = await context.newPage();
    await second.goto(served.link);
    await expect(second.locator('#mode')).toHaveText('LIVE');
    const [one, two] = [await moment(page), await moment(second)];
    expect(Math.abs(one.tick - two.tick)).toBeLessThan(600);

    // Looking back says so; the way to the head is one button.
    await page.bringToFront();
    await page.locator('#timeline').focus();
    await page.keyboard.press('Home');
    await expect(page.locator('#mode')).toHaveText('REPLAY');
    await page.getByRole('button', { name: 'Back to live' }).click();
    await expect(page.locator('#mode')).toHaveText('LIVE');

    // The run obeys the page.
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Pause the run' }).click();
    await expect(page.locator('#mode')).toHaveText('PAUSED');
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect(page.locator('#mode')).toHaveText('LIVE');
    await second.close();
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
  const second = await serve(folder, ['serve', 'away.run', '--port', port]);
  try {
    await expect(page.getByRole('alert').filter({ hasText: 'The server is away' })).toBeHidden({ timeout: 30_000 });
  } finally {
    await second.stop();
  }
});
