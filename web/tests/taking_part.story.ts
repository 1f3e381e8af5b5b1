/** What people do to a town from the page: whisper, change an object, walk in and talk, stop and take the run on. */
import type { Locator, Page } from '@playwright/test';
import { TWO_NEIGHBOURS, compute, spot } from './served.ts';
import { drawn, expect, openTab, test, unfold } from './story.ts';

/** A section of the panel. */
function section(page: Page, title: string): Locator {
  return page.locator('details.section', { has: page.getByRole('heading', { name: title, exact: true }) });
}

test('a run is steered: whisper, object, visitor', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(town.link);
  await drawn(page);
  await openTab(page, 'Take part');

  await unfold(page, 'Whisper');
  const whisper = section(page, 'Whisper');
  await whisper.getByLabel('Whom').selectOption({ label: 'Nora Lindqvist' });
  await whisper.getByLabel('Words').fill('The apple tree is full of <b>wasps</b> today.');
  await whisper.getByRole('button', { name: 'Whisper' }).click();
  await expect(whisper.getByText('it takes effect at')).toBeVisible();
  await expect(whisper.getByLabel('Words')).toHaveValue('');

  await unfold(page, 'Change an object');
  const object = section(page, 'Change an object');
  const stove = await object.getByLabel('Object').locator('option', { hasText: /stove$/ }).first().textContent();
  await object.getByLabel('Object').selectOption({ label: stove ?? '' });
  await object.getByLabel('Its new state').fill('burning');
  await object.getByRole('button', { name: 'Set the state' }).click();
  await expect(object.getByText('it takes effect at')).toBeVisible();

  // A wall clicked on is no place to stand: whoever appears there stands beside it.
  await unfold(page, 'Walk in as a visitor');
  const visitor = section(page, 'Walk in as a visitor');
  await visitor.getByLabel('Name').fill('Zoë <i>Ångström</i>');
  await visitor.getByLabel('Role').fill('a reporter');
  await visitor.getByRole('button', { name: 'Walk in' }).click();
  await expect(page.getByText('Click a place on the map')).toBeVisible();
  const box = await page.locator('#map').boundingBox();
  if (!box) throw new Error('no map');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(visitor.getByText('You are Zoë <i>Ångström</i>')).toBeVisible();
  await expect(visitor.getByText('it takes effect at')).toBeVisible();

  // What was done happens as the run goes on.
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'One tick', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('.who option', { hasText: 'Zoë <i>Ångström</i>' })).toHaveCount(1);
  await openTab(page, 'Town');
  await unfold(page, 'What happened');
  const events = section(page, 'What happened');
  await expect(events.getByText('burning').first()).toBeVisible();
  await expect(events.getByText('<b>wasps</b>').first()).toBeVisible();
});

test('a visitor comes, talks, is answered and remembered, by keyboard alone', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(town.link);
  await page.getByRole('tab', { name: 'Town', exact: true }).focus();
  await page.keyboard.press('End');
  await section(page, 'Walk in as a visitor').locator('summary').focus();
  await page.keyboard.press('Enter');
  const visitor = section(page, 'Walk in as a visitor');

  // A place out of the list: beside Nora.
  await visitor.getByLabel('Name').focus();
  await page.keyboard.type('Ada Brown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a reporter');
  await page.keyboard.press('Tab');
  await expect(visitor.getByLabel('Where')).toBeFocused();
  await expect(visitor.getByLabel('Where').locator('option', { hasText: 'Nora Lindqvist' })).toHaveCount(1);
  await page.keyboard.type('Nora');
  await expect(visitor.getByLabel('Where').locator('option:checked')).toHaveText('Nora Lindqvist');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(visitor.getByText('You are Ada Brown')).toBeFocused();

  // She stands there as soon as the run goes on. While she talks it is slow enough to answer.
  await page.keyboard.press('Tab');
  await expect(visitor.getByRole('button', { name: 'Go on for an hour' })).toBeFocused();
  await visitor.getByLabel('Words').focus();
  await expect(visitor.getByRole('combobox', { name: 'To', exact: true }).locator('option')).toHaveCount(0);
  await page.getByRole('button', { name: 'Run', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'One tick', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(visitor.getByRole('combobox', { name: 'To', exact: true }).locator('option:checked')).toHaveText('Nora Lindqvist');
  await visitor.getByLabel('Words').focus();
  await page.keyboard.type('Good day! What are you doing with <script>all</script> those apples?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(visitor.getByText('it takes effect at')).toBeVisible();
  await visitor.getByRole('button', { name: 'Go on for an hour' }).focus();
  await page.keyboard.press('Enter');
  const lines = visitor.locator('ol li');
  await expect(lines.first()).toContainText('Ada Brown Good day! What are you doing with <script>all</script>');
  await expect(lines.nth(1)).toContainText('Nora Lindqvist');
  await visitor.getByLabel('Words').focus();
  await page.keyboard.type('Thank you, Nora. Good bye!');
  await visitor.getByRole('button', { name: 'Say it and end the talk' }).focus();
  await page.keyboard.press('Enter');
  await expect(lines.nth(2)).toContainText('Good bye!');

  // She is remembered.
  await page.locator('.who select').selectOption({ label: 'Nora Lindqvist' });
  await unfold(page, 'Memory stream');
  await section(page, 'Memory stream').getByLabel('Words in it').fill('Ada Brown');
  await expect(section(page, 'Memory stream').locator('article.card').first()).toContainText('Ada Brown');
});

test('a tile is chosen on the map by keyboard too, or not at all', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(town.link);
  await drawn(page);
  await openTab(page, 'Take part');
  await unfold(page, 'Walk in as a visitor');
  const visitor = section(page, 'Walk in as a visitor');
  await visitor.getByLabel('Name').fill('Ada Brown');
  const walkIn = visitor.getByRole('button', { name: 'Walk in' });
  await walkIn.press('Enter');
  await expect(page.locator('#map')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(walkIn).toBeFocused();
  await walkIn.press('Enter');

  // Arrows move the cross, also where the whole town is in sight and the map itself has nowhere to go.
  const cross = page.locator('.map .cross');
  const under = async (): Promise<[x: number, y: number]> => {
    const [x = NaN, y = NaN] = ((await cross.getAttribute('data-tile')) ?? '').split(',').map(Number);
    return [x, y];
  };
  const [x, y] = await under();
  const before = await cross.boundingBox();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await under()).toEqual([x - 1, y - 2]);
  await expect.poll(async () => (await cross.boundingBox())?.x).toBeLessThan(before?.x ?? 0);
  // No key leads out of the town.
  for (let i = 0; i < 9; i += 1) await page.keyboard.press('Shift+ArrowLeft');
  expect(await under()).toEqual([0, y - 2]);
  await page.keyboard.press('Shift+ArrowRight');
  expect(await under()).toEqual([10, y - 2]);
  // What lies under it is told; close by, the map moves along.
  await expect(page.locator('.map .hint [role=status]')).not.toBeEmpty();
  for (let i = 0; i < 8; i += 1) await page.keyboard.press('+');
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Shift+ArrowRight');
  const [map, at] = [await page.locator('#map').boundingBox(), await cross.boundingBox()];
  expect(at?.x).toBeGreaterThan(map?.x ?? Infinity);
  expect((at?.x ?? Infinity) + (at?.width ?? 0)).toBeLessThan((map?.x ?? 0) + (map?.width ?? 0));
  const [wished_x, wished_y] = await under();
  const sent = page.waitForRequest('**/api/inputs');
  await page.keyboard.press('Enter');
  const { tile } = (await sent).postDataJSON() as { tile: { x: number; y: number } };
  expect(Math.abs(tile.x - wished_x) + Math.abs(tile.y - wished_y)).toBeLessThan(4);
  await expect(visitor.getByText('You are Ada Brown')).toBeFocused();

  // So too where she is to walk.
  await visitor.getByRole('button', { name: 'Walk there' }).press('Enter');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Enter');
  await expect(visitor.getByText('it takes effect at')).toBeVisible();
});

test('what was typed is kept, whatever is looked at meanwhile', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(`${town.link}#t=1000&tab=take_part`);
  await drawn(page);
  const fields: [title: string, label: string, typed: string][] = [
    ['Interview', 'Question', 'Where do you sleep?'],
    ['Whisper', 'Words', 'The well has run dry.'],
    ['Walk in as a visitor', 'Name', 'Ada Brown'],
    ['Walk in as a visitor', 'Role', 'a reporter'],
    ['Change an object', 'Its new state', 'broken'],
  ];
  for (const [title, label, typed] of fields) {
    await unfold(page, title);
    await section(page, title).getByLabel(label).fill(typed);
  }
  await section(page, 'Interview').getByLabel('Whom').selectOption({ label: 'Théo Baptiste' });

  // Somebody on the map, the ground, another tab: each takes the form away for a moment.
  const there = await spot(page, 0);
  const box = (await page.locator('#map').boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.click(box.x + there.x, box.y + there.y);
  await expect(page.locator('#panel-body').getByRole('heading', { level: 2 })).toHaveText('Nora Lindqvist');
  await openTab(page, 'Town');
  await openTab(page, 'Take part');
  for (const [title, label, typed] of fields) await expect(section(page, title).getByLabel(label)).toHaveValue(typed);
  // Who was chosen last counts; what is still missing is told beside a button that cannot be pressed.
  await expect(section(page, 'Interview').getByLabel('Whom').locator('option:checked')).toHaveText('Nora Lindqvist');
  const ask = section(page, 'Interview').getByRole('button', { name: 'Ask', exact: true });
  await expect(ask).toBeEnabled();
  await section(page, 'Interview').getByLabel('Question').fill(' ');
  await expect(ask).toBeDisabled();
  await expect(ask).toHaveAccessibleDescription('First write something.');
});

test('no field takes more letters than the town does, and says so as the end comes near', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(`${town.link}#t=1000&r=0&tab=take_part`);
  const fields: [title: string, label: string, most: number][] = [
    ['Interview', 'Question', 2000],
    ['Whisper', 'Words', 2000],
    ['Change an object', 'Its new state', 2000],
    ['Walk in as a visitor', 'Name', 80],
  ];
  for (const [title, label, most] of fields) {
    await unfold(page, title);
    const field = section(page, title).getByLabel(label);
    await field.fill('a'.repeat(most / 2));
    await expect(field).toHaveAccessibleDescription('');
    await field.fill('a'.repeat(most - 1));
    await expect(field).toHaveAccessibleDescription('Letters left: 1');
    await field.press('End');
    await field.pressSequentially('bc');
    await expect(field).toHaveValue(`${'a'.repeat(most - 1)}b`);
    await expect(field).toHaveAccessibleDescription('Letters left: 0');
  }
  // As many as fit are taken.
  await section(page, 'Whisper').getByRole('button', { name: 'Whisper' }).click();
  await expect(section(page, 'Whisper').getByText('it takes effect at')).toBeVisible();
});

test('who lives without memory says so beside the answer', async ({ page, story, folder }) => {
  compute(folder, TWO_NEIGHBOURS, 400, 'bare.run', ['--without', 'memory']);
  const town = await story.start('serve', 'bare.run', '--port', '0');
  await page.goto(`${town.link}#t=300&r=0&tab=take_part`);
  const interview = section(page, 'Interview');
  await interview.getByLabel('Question').fill('What are you doing?');
  await interview.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(interview.locator('.exchange')).toContainText('They live without memory in this run: nothing came to mind.');
  for (const [language, says] of [['中文', '什么也没有想起'], ['日本語', '何も思い出していません']] as const) {
    await page.locator('#language').selectOption({ label: language });
    await expect(page.locator('.exchange')).toContainText(says);
  }
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

/** Field case 56. */
test('an interview leaves no trace in memory, a whisper does', async ({ page, story }) => {
  const town = await story.serve('day');
  await page.goto(`${town.link}#t=2800`);
  await openTab(page, 'Take part');
  const memories = async (): Promise<number> => {
    const answer = await page.request.get(new URL('api/residents/0', town.link).href);
    return Object.values((await answer.json()).counts as Record<string, number>).reduce((sum, count) => sum + count, 0);
  };
  const before = await memories();
  await page.getByLabel('Whom').first().selectOption({ index: 0 });
  await page.getByLabel('Question').fill('What did you do this morning?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.locator('.exchange .answer')).not.toBeEmpty();
  await page.getByText(/memories came to mind/).click();
  await expect(page.locator('.exchange article.card').first()).toContainText('recency');
  expect(await memories()).toBe(before);

  await unfold(page, 'Whisper');
  const whisper = section(page, 'Whisper');
  await whisper.getByLabel('Whom').selectOption({ index: 0 });
  await whisper.getByLabel('Words').fill('The weir is frozen over.');
  await whisper.getByRole('button', { name: 'Whisper' }).click();
  await expect(whisper.getByText('it takes effect at')).toBeVisible();
  // Whoever uses the keyboard is still where they were.
  await expect(whisper.getByRole('button', { name: 'Whisper' })).toBeFocused();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'One tick', exact: true }).click();
  await expect
    .poll(async () => {
      const found = await page.request.get(new URL('api/residents/0/memories?text=frozen%20over', town.link).href);
      return ((await found.json()).items as unknown[]).length;
    })
    .toBeGreaterThan(0);
});
