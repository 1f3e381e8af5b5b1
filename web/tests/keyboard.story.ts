/** Without a mouse, and with a screen reader: an order that makes sense, a name for everything, motion only where wanted. */
import { chooseResident, drawn, expect, shownTick, test, unfold } from './story.ts';

test('the whole page by keyboard', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(`${town.link}#t=1000`);
  await drawn(page);
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim() || '');

  // First a way past the top bar.
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the map');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the panel');
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('panel');

  // Tabs are one stop; arrows go from one to the next.
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('tab-town');
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toBe('tab-resident');
  await page.keyboard.press('End');
  expect(await focused()).toBe('tab-take_part');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Resident' })).toHaveAttribute('aria-selected', 'true');

  // Somebody is chosen out of the list, and their memory asked.
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Nora Lindqvist');
  await page.keyboard.press('Enter');
  await expect(page.locator('#panel-body').getByRole('heading', { level: 2 })).toHaveText('Nora Lindqvist');

  // The map takes arrows, zoom keys and Escape.
  await page.locator('#map').focus();
  await page.keyboard.press('+');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Stop following', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Choose somebody on the map, or here:')).toBeVisible();

  // Space plays and pauses, full stop and comma step.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  const before = await shownTick(page);
  await page.keyboard.press('.');
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', String(before + 1));
  await page.keyboard.press(',');
  await expect(page.locator('#clock')).toHaveAttribute('data-tick', String(before));
});

test('everything that can be used has a name, and no id stands twice', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(`${town.link}#t=1000`);
  await chooseResident(page, 'Nora Lindqvist');
  for (const title of ['Memory stream', 'What comes to mind', 'People', 'Places', 'What its mind was asked']) await unfold(page, title);
  await page.getByRole('tab', { name: 'Take part' }).click();
  for (const title of ['Whisper', 'Walk in as a visitor', 'Change an object']) await unfold(page, title);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const faults = await page.evaluate(() => {
    const found: string[] = [];
    const text = (element: Element | null): string => element?.textContent?.trim() ?? '';
    for (const element of document.querySelectorAll<HTMLElement>('button, a, input, select, textarea, summary, canvas, [role=img]')) {
      const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement ? [...(element.labels ?? [])] : [];
      const control = labels.length > 0 || element.matches('input, select, textarea');
      const name = element.getAttribute('aria-label') ?? (control ? labels.map(text).join(' ') : text(element));
      if (name.trim() === '') found.push(`no name: ${element.outerHTML.slice(0, 120)}`);
    }
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push(`twice: ${id}`);
    for (const element of document.querySelectorAll('[aria-controls], [aria-labelledby], [aria-describedby]')) {
      for (const attribute of ['aria-labelledby', 'aria-describedby']) {
        for (const id of element.getAttribute(attribute)?.split(' ') ?? []) if (!document.getElementById(id)) found.push(`leads nowhere: ${attribute}=${id}`);
      }
    }
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((heading) => Number(heading.tagName[1]));
    if (levels[0] !== 1) found.push('the first heading is not the first level');
    return found;
  });
  expect(faults).toEqual([]);
});

test('whoever wants no motion gets none that was not asked for', async ({ page, story }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const town = await story.serve('neighbours');
  await page.goto(town.link);
  await drawn(page);
  const before = await shownTick(page);
  await page.waitForTimeout(500);
  expect(await shownTick(page)).toBe(before);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});
