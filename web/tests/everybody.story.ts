/** What a machine can tell about whether everybody can use the page: axe's rules on every panel, light and dark. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { chooseResident, drawn, expect, openTab, test, unfold } from './story.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What breaks a rule of WCAG 2.2 up to AA, or a habit that axe calls best practice. */
async function broken(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Result = { violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[] };
    const options = { resultTypes: ['violations'] };
    const { violations } = await (window as unknown as { axe: { run(options: unknown): Promise<Result> } }).axe.run(options);
    return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
  });
}

const PANELS: [tab: string, sections: string[]][] = [
  ['Town', ['News, and how it travels', 'Gatherings', 'Who has talked with whom', 'What happened', 'Questions, cost, fallbacks']],
  ['Resident', ['Who they are', 'Memory stream', 'What comes to mind', 'Reflections', 'People', 'Talks', 'Places', 'What its mind was asked']],
  ['Talk', []],
  ['Object', []],
  ['Take part', ['Whisper', 'Walk in as a visitor', 'Change an object']],
];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no panel breaks a rule of accessibility, ${colorScheme}`, async ({ page, story }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const town = await story.serve('day');
    await page.goto(`${town.link}#t=2800`);
    await drawn(page);
    await chooseResident(page, 'Agnes Thorvaldsen');
    for (const [tab, sections] of PANELS) {
      await openTab(page, tab);
      for (const title of sections) await unfold(page, title);
      await expect(page.locator('#panel-body').getByText('Loading…')).toHaveCount(0);
      expect.soft(await broken(page), tab).toEqual([]);
    }
    // One talk, and the menu of the run.
    await openTab(page, 'Talk');
    await page.locator('#panel-body article button.link').first().click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    expect.soft(await broken(page), 'a talk, the menu').toEqual([]);
  });
}
