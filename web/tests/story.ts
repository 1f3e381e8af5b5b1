/**
 * What stories about panels have: a way to serve the runs that `runs.ts` made, and a watch over every page of theirs, which
 * must ask nothing of any other machine, break no rule of its content security policy and throw nothing.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, expect } from '@playwright/test';
import { type Served, test as base, serve } from './served.ts';

/** The runs that `runs.ts` made. */
export type Recorded = 'day' | 'odd' | 'neighbours';

export type Story = {
  /** Starts a command that serves a page; ended with the story. */
  start(...args: string[]): Promise<Served>;
  /** Serves a copy of a recorded run. */
  serve(run: Recorded, ...args: string[]): Promise<Served>;
};

export const test = base.extend<{ story: Story; watched: string[] }>({
  story: async ({ folder }, use) => {
    const started: Served[] = [];
    const start = async (...args: string[]): Promise<Served> => {
      const served = await serve(folder, args);
      started.push(served);
      return served;
    };
    await use({
      start,
      serve: (run, ...args) => {
        copyFileSync(join(process.env['TOWNSFOLK_STORIES'] ?? '', `${run}.run`), join(folder, `${run}.run`));
        return start('serve', `${run}.run`, '--port', '0', ...args);
      },
    });
    for (const served of started) await served.stop();
  },
  /** Looked through when the story is over. */
  watched: [
    async ({ outside, faults }, use) => {
      await use([]);
      expect([...outside, ...faults]).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The tick the page shows. */
export async function shownTick(page: Page): Promise<number> {
  return Number(await page.locator('#clock').getAttribute('data-tick'));
}

/** Waits until the town is drawn with somebody in it. */
export async function drawn(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-renderer', /./);
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { townsfolk?: { spot(id: number): unknown } }).townsfolk?.spot(0) ?? null))
    .not.toBeNull();
}

/** Opens a tab of the panel. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
}

/** Unfolds a section of the panel, where it is folded. */
export async function unfold(page: Page, title: string): Promise<void> {
  const section = page.locator('details.section', { has: page.getByRole('heading', { name: title, exact: true }) });
  if ((await section.getAttribute('open')) === null) await section.locator('summary').first().click();
}

/** Chooses somebody by name. */
export async function chooseResident(page: Page, name: string): Promise<void> {
  await page.locator('.who select').selectOption({ label: name });
  await expect(page.locator('#panel-body').getByRole('heading', { level: 2 })).toHaveText(name);
}
