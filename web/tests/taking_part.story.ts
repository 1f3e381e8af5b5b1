/** What people do to a town from the page: whisper, change an object, walk in and talk, stop and take the run on. */
import type { Page } from '@playwright/test';
import { expect, openTab, test, unfold } from './story.ts';

/** Clicks the middle of the map, where the neighbours' garden is. */
async function clickMap(page: Page): Promise<void> {
  const box = await page.locator('#map').boundingBox();
  if (!box) throw new Error('no map');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

test('a run is steered: whisper, object, visitor', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(town.link);
  const panel = page.locator('#panel-body');
  await openTab(page, 'Take part');

  await unfold(page, 'Whisper');
  const whisper = panel.locator('details', { hasText: 'An inner voice' });
  await whisper.getByLabel('Whom').selectOption({ label: 'Nora Lindqvist' });
  await whisper.getByLabel('Words').fill('The apple tree is full of <b>wasps</b> today.');
  await whisper.getByRole('button', { name: 'Whisper' }).click();
  await expect(whisper.getByText('it takes effect at')).toBeVisible();
  await expect(whisper.getByLabel('Words')).toHaveValue('');

  await unfold(page, 'Change an object');
  const object = panel.locator('details', { hasText: 'Its new state' });
  const stove = (await object.getByLabel('Object').locator('option').allTextContents()).find((name) => name.endsWith('stove'));
  await object.getByLabel('Object').selectOption({ label: stove ?? '' });
  await object.getByLabel('Its new state').fill('burning');
  await object.getByRole('button', { name: 'Set the state' }).click();
  await expect(object.getByText('it takes effect at')).toBeVisible();

  await unfold(page, 'Walk in as a visitor');
  const visitor = panel.locator('details', { hasText: 'Choose a name, then click' });
  await visitor.getByLabel('Name').fill('Zoë <i>Ångström</i>');
  await visitor.getByLabel('Role').fill('a reporter');
  await visitor.getByRole('button', { name: 'Choose where you appear' }).click();
  await expect(page.getByText('Click a place on the map')).toBeVisible();
  await clickMap(page);
  await expect(panel.getByText('it takes effect at').last()).toBeVisible();

  // The run goes on, and what was done has happened in it.
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'One tick', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(panel.getByText('You are Zoë <i>Ångström</i>')).toBeVisible();
  await page.getByRole('button', { name: 'To the end' }).click();
  await expect(page.locator('.who option', { hasText: 'Zoë <i>Ångström</i>' })).toHaveCount(1);

  const me = panel.locator('details', { hasText: 'You are' });
  await expect(me.getByRole('button', { name: 'Leave the town' })).toBeEnabled();
  const near = me.getByLabel('To', { exact: true }).locator('option');
  await expect.poll(() => near.count()).toBeGreaterThan(0);
  await me.getByLabel('To', { exact: true }).selectOption({ index: 0 });
  await me.getByLabel('Words').fill('Good day! What are you doing with <script>all</script> those apples?');
  await me.getByRole('button', { name: 'Say it', exact: true }).click();
  await expect(me.getByText('it takes effect at')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(me.locator('ol li').nth(1)).toBeVisible({ timeout: 20_000 });
  await expect(me.locator('ol li').first()).toContainText('<script>all</script>');
});

test('a recording is looked at, not changed', async ({ page, story }) => {
  const town = await story.serve('neighbours', '--read-only');
  await page.goto(town.link);
  await openTab(page, 'Take part');
  await expect(page.getByText('This page shows a recording')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Whisper' })).toHaveCount(0);
  await page.getByLabel('Whom').selectOption({ label: 'Nora Lindqvist' });
  await page.getByLabel('Question').fill('What do you do for a living?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.locator('.exchange .answer')).toContainText('Nora Lindqvist');
});
