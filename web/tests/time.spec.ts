/** Moments: any of them at once, by hand, by keyboard and by link; reloads and second windows while a run goes on. */
import { drawn, expect, shownTick, test } from './support/story.ts';

/** 13:00 of the first day, which begins at 05:00, in ticks of ten seconds. */
const LAST = 8 * 360 - 1;

test('a link leads to the beginning, the middle, the end; past the end, to the end with a word about it', async ({ page, story }) => {
  const town = await story.serve('day');
  for (const [asked, shown, clock] of [
    [0, 0, '05:00'],
    [LAST >> 1, LAST >> 1, '08:59'],
    [LAST, LAST, '12:59'],
  ] as const) {
    await page.goto(`${town.link}#t=${asked}`);
    await page.reload();
    await expect(page.locator('#clock')).toHaveAttribute('data-tick', String(shown));
    await expect(page.locator('#clock')).toHaveText(clock);
    await drawn(page);
  }
  await page.goto(`${town.link}#t=999999`);
  await page.reload();
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', String(LAST));
  await expect(page.getByRole('alert')).toContainText(`from tick 0 to tick ${LAST}`);
  await drawn(page);
});

test('the timeline takes the page anywhere, and the address follows', async ({ page, story }) => {
  const town = await story.serve('day');
  await page.goto(`${town.link}#t=100`);
  await drawn(page);
  const timeline = page.locator('#timeline');
  await timeline.focus();
  await page.keyboard.press('PageDown');
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', '0');
  await page.keyboard.press('PageUp');
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', '360');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', '361');
  await page.keyboard.press('End');
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', String(LAST));
  await expect(page).toHaveURL(new RegExp(`t=${LAST}`));
  const box = await timeline.boundingBox();
  if (!box) throw new Error('no timeline');
  const began = Date.now();
  await timeline.click({ position: { x: box.width / 2, y: 20 } });
  await expect.poll(() => shownTick(page)).toBeLessThan(LAST * 0.6);
  await expect(page.locator('.hint')).toBeHidden();
  expect(Date.now() - began).toBeLessThan(5_000);

  await page.getByRole('button', { name: 'To the beginning' }).click();
  await page.locator('#speed').selectOption('600');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.locator('#mode')).toHaveText('REPLAY');
  await expect.poll(() => shownTick(page)).toBeGreaterThan(60);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const still = await shownTick(page);
  await page.waitForTimeout(300);
  expect(await shownTick(page)).toBe(still);
});

test('five reloads and a second window during a run', async ({ page, context, story }) => {
  const town = await story.start('run', '--port', '0');
  await page.goto(town.link);
  let before = 0;
  for (let reload = 0; reload < 5; reload += 1) {
    await page.reload();
    await expect(page.locator('#mode')).toHaveText('LIVE');
    await expect.poll(() => shownTick(page)).toBeGreaterThan(before);
    before = await shownTick(page);
  }
  await drawn(page);
  const second = await context.newPage();
  await second.goto(`${town.link}#t=10`);
  await expect(second.locator('#mode')).toHaveText('REPLAY');
  await expect(second.locator('#clock')).toHaveAttribute('data-tick', '10');
  // The first goes on undisturbed, and the second can join it.
  await expect.poll(() => shownTick(page)).toBeGreaterThan(before);
  await second.getByRole('button', { name: 'Back to live' }).click();
  await expect(second.locator('#mode')).toHaveText('LIVE');
  await expect.poll(() => shownTick(second)).toBeGreaterThan(before);
});
