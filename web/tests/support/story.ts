/**
 * What every story has: a folder of its own, a way to serve runs, and a page of which it is checked at the end that it
 * asked nothing of any other machine, broke no rule of its content security policy and threw nothing.
 */
import { copyFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, expect, test as base } from '@playwright/test';
import { Serving } from './townsfolk.ts';

/** The runs that `runs.ts` made. */
export type Recorded = 'day' | 'odd' | 'neighbours';

export type Story = {
  folder: string;
  /** Starts a command that serves a page; ended with the story. */
  start(...args: string[]): Promise<Serving>;
  /** Serves a copy of a recorded run. */
  serve(run: Recorded, ...args: string[]): Promise<Serving>;
};

export const test = base.extend<{ story: Story; watched: string[] }>({
  story: async ({}, use) => {
    const stories = process.env['TOWNSFOLK_STORIES'] ?? '';
    const folder = mkdtempSync(join(stories, 'story-'));
    const started: Serving[] = [];
    const start = async (...args: string[]): Promise<Serving> => {
      const serving = await Serving.start(folder, ...args);
      started.push(serving);
      return serving;
    };
    await use({
      folder,
      start,
      serve: (run, ...args) => {
        copyFileSync(join(stories, `${run}.run`), join(folder, `${run}.run`));
        return start('serve', `${run}.run`, '--port', '0', ...args);
      },
    });
    for (const serving of started) await serving.stop();
  },
  /** What went wrong in any page of the story. */
  watched: [
    async ({ context }, use) => {
      const faults: string[] = [];
      context.on('request', (request) => {
        const url = new URL(request.url());
        if (url.hostname !== '127.0.0.1' && !['data:', 'blob:'].includes(url.protocol)) faults.push(`asked for ${request.url()}`);
      });
      context.on('weberror', (error) => faults.push(`threw ${error.error()}`));
      context.on('console', (message) => {
        // A request refused, or a server away, is told on the page.
        if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text())) faults.push(`said ${message.text()}`);
      });
      await use(faults);
      expect(faults).toEqual([]);
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
