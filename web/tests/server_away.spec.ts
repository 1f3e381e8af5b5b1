/** The server dies and comes back: the page says so, keeps what it has, and heals by itself. */
import { drawn, expect, openTab, test } from './support/story.ts';

test('a server that went away is shown, and the page heals when it is back', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(`${town.link}#t=1000`);
  await drawn(page);
  await town.kill();
  await expect(page.getByText('The server is away.')).toBeVisible();
  // What was loaded stays.
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', '1000');
  await openTab(page, 'Talk');
  await expect(page.locator('#panel-body').getByRole('alert')).toContainText('does not answer');

  await story.start('serve', 'neighbours.run', '--port', town.port);
  await expect(page.getByText('The server is away.')).toBeHidden({ timeout: 15_000 });
  await openTab(page, 'Town');
  await expect(page.locator('#panel-body').getByRole('button', { name: 'Nora Lindqvist' })).toBeVisible();
  await page.getByRole('button', { name: 'One tick on' }).click();
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', '1001');
  await openTab(page, 'Talk');
  await expect(page.locator('#panel-body').getByRole('alert')).toHaveCount(0);
});
