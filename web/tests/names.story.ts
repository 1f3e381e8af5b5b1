/** Names and talk may hold anything: all of it is shown as text, whole, and in its own direction. */
import { chooseResident, expect, openTab, test, unfold } from './story.ts';

const SCRIPT = "<img src=x onerror=document.title='caught'> O'Neill-Ångström";
const LONG = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafe von Habsburg-Lothringen-Österreich';

test('script text in names and talk stays text', async ({ page, story }) => {
  const town = await story.serve('odd');
  await page.goto(`${town.link}#t=2500`);
  const panel = page.locator('#panel-body');
  await chooseResident(page, SCRIPT);
  for (const title of ['Who they are', 'Memory stream', 'People', 'Talks', 'Reflections', 'What its mind was asked']) await unfold(page, title);
  await expect(panel.getByText("tidy, <script>document.title='caught'</script>, generous with fruit")).toBeVisible();
  await expect(panel.locator('article.card').first()).toBeVisible();
  await openTab(page, 'Town');
  for (const title of ['News, and how it travels', 'Gatherings', 'Who has talked with whom', 'What happened']) await unfold(page, title);
  await expect(panel.getByRole('button', { name: SCRIPT }).first()).toBeVisible();
  await openTab(page, 'Talk');
  await panel.locator('article button.link').first().click();
  await expect(panel.locator('ol > li').first()).toBeVisible();
  expect(await page.title()).toContain('Townsfolk');
  // Nothing but the page's own elements came of it.
  expect(await page.locator('body img, body script, #panel-body i, #panel-body svg[onload]').count()).toBe(0);
});

test('long names wrap, and names in any script are found by name', async ({ page, story }) => {
  const town = await story.serve('odd');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${town.link}#t=2500`);
  for (const name of ['林 秋', 'עומר כהן', LONG]) {
    await chooseResident(page, name);
    const body = page.locator('#panel-body');
    expect(await body.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(1);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
