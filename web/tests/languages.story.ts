/** The page in English, Chinese and Japanese: chosen, remembered, asked for by the address. */
import en from '../src/i18n/en.json' with { type: 'json' };
import ja from '../src/i18n/ja.json' with { type: 'json' };
import zh from '../src/i18n/zh.json' with { type: 'json' };
import { drawn, expect, test } from './story.ts';

const WORDS = { en, zh, ja };
const TABS = ['tab.resident', 'tab.town', 'tab.object', 'tab.talk', 'tab.take_part'] as const;

test('three languages, in every tab', async ({ page, story }) => {
  const town = await story.serve('day');
  for (const [language, words] of Object.entries(WORDS)) {
    await page.goto(`${town.link}?lang=${language}#t=2800`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await drawn(page);
    for (const tab of TABS) {
      await page.getByRole('tab', { name: words[tab], exact: true }).click();
      await expect(page.locator('#panel-body')).toContainText(words['app.programs']);
      // No word of the page is missing, and no place in one is left unfilled.
      expect(await page.locator('#panel-body').innerText()).not.toMatch(/\{\w+\}|undefined|NaN/);
    }
    await expect(page.locator('#mode')).toHaveText(words['mode.replay']);
  }
});

test('a language that was chosen is remembered', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(town.link);
  await page.locator('#language').selectOption('ja');
  await expect(page.getByRole('tab', { name: ja['tab.take_part'] })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
});
