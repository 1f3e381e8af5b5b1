/** Somebody who has just installed Townsfolk: the first command, the page, a resident, a question. */
import { chooseResident, drawn, expect, openTab, shownTick, test, unfold } from './story.ts';

test('from the first command to interviewing a resident', async ({ page, story }) => {
  const town = await story.start('run', '--days', '365', '--port', '0');
  await page.goto(town.link);

  await expect(page).toHaveTitle('Osier Quay · Townsfolk');
  await expect(page.getByRole('heading', { name: 'Osier Quay', level: 1 })).toBeVisible();
  await expect(page.locator('#mode')).toHaveText('LIVE');
  await drawn(page);
  const before = await shownTick(page);
  await expect.poll(() => shownTick(page)).toBeGreaterThan(before);
  await expect(page.locator('header').getByText('Residents are computer programs.')).toBeVisible();

  // Everybody can be chosen by name; the panel shows the inside of their head.
  await expect(page.locator('.who option')).toHaveCount(26);
  await chooseResident(page, 'Agnes Thorvaldsen');
  const panel = page.locator('#panel-body');
  await expect(panel.getByText('years old')).toBeVisible();
  await unfold(page, 'Who they are');
  await expect(panel.getByText('captain of the ferry for thirty-one years')).toBeVisible();
  await unfold(page, 'Memory stream');
  await expect(panel.locator('article.card').first()).toBeVisible();

  // A question about this moment, and the memories beside the answer.
  await panel.getByRole('button', { name: 'Ask or whisper…' }).click();
  await expect(panel.getByText('You are about to speak with computer programs.')).toBeVisible();
  await panel.getByLabel('Question').fill('What do you know about the lantern supper?');
  await panel.getByRole('button', { name: 'Ask', exact: true }).click();
  const answer = panel.locator('.exchange .answer');
  await expect(answer).toContainText('Agnes Thorvaldsen');
  await expect(answer).toContainText(/supper/i);
  await panel.getByText(/memories came to mind/).click();
  await expect(panel.locator('.exchange article.card').first()).toContainText('recency');

  // The next question knows the one before.
  await panel.getByLabel('Question').fill('When is it?');
  await panel.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(panel.locator('.exchange')).toHaveCount(2);
  await openTab(page, 'Town');
  await expect(panel.getByRole('heading', { name: 'Osier Quay', level: 2 })).toBeVisible();
});
