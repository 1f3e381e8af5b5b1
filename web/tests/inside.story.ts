/** The inside of a head and of the town, in a run that was recorded. */
import { chooseResident, expect, openTab, test, unfold } from './story.ts';

test('what comes to mind, and why: three bars that add up to the score, best first', async ({ page, story }) => {
  const town = await story.serve('day');
  await page.goto(`${town.link}#t=2800`);
  await chooseResident(page, 'Agnes Thorvaldsen');
  await unfold(page, 'What comes to mind');
  await page.getByLabel('Words to ask memory with').fill('the lantern supper');
  await page.getByRole('button', { name: 'Ask memory' }).click();
  const found = page.locator('article.card', { has: page.locator('dl.bars') });
  await expect(found.first()).toBeVisible();
  const scores = await found.evaluateAll((cards) =>
    cards.map((card) => ({
      text: card.querySelector('.text')?.textContent ?? '',
      values: [...card.querySelectorAll('.value')].map((value) => Number(value.textContent)),
      bars: [...card.querySelectorAll('.track > span')].map((bar) => parseFloat((bar as HTMLElement).style.width)),
    })),
  );
  expect(scores.length).toBeGreaterThan(5);
  let last = Infinity;
  for (const { values, bars } of scores) {
    const [recency = NaN, relevance = NaN, importance = NaN, sum = NaN] = values;
    expect(Math.abs(recency + relevance + importance - sum)).toBeLessThan(0.03);
    expect(bars).toHaveLength(3);
    expect(Math.abs((bars[1] ?? NaN) / 100 - relevance)).toBeLessThan(0.02);
    expect(sum).toBeLessThanOrEqual(last + 0.005);
    last = sum;
  }
  expect(scores[0]?.text).toMatch(/supper|lantern/i);
});

test('a link to what is no object says that none is chosen, and offers nothing to be done with it', async ({ page, story }) => {
  const town = await story.serve('neighbours');
  await page.goto(`${town.link}#t=1000&object=0`);
  const panel = page.locator('#panel-body');
  await expect(panel.getByText('Choose an object on the map.')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Set the state' })).toHaveCount(0);
});

test('memories are searched and filtered', async ({ page, story }) => {
  const town = await story.serve('day');
  await page.goto(`${town.link}#t=2800`);
  await chooseResident(page, 'Agnes Thorvaldsen');
  await unfold(page, 'Memory stream');
  const cards = page.locator('article.card');
  await expect(cards.first()).toBeVisible();
  await page.getByLabel('Words in it').fill('supper');
  await expect.poll(async () => (await cards.locator('.text').allTextContents()).every((text) => /supper/i.test(text))).toBe(true);
  await page.getByLabel('Words in it').fill('');
  await page.getByLabel('Kind').selectOption('conversation');
  await expect
    .poll(async () => {
      const kinds = await cards.locator('.kind').allTextContents();
      return kinds.length > 0 && kinds.every((kind) => kind === 'conversation');
    })
    .toBe(true);
  await page.getByLabel('Words in it').fill('no such words anywhere');
  await expect(page.getByText('No memory fits.')).toBeVisible();
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`nothing is wider than its panel, ${viewport.width} pixels`, async ({ page, story }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const town = await story.serve('day');
    await page.goto(`${town.link}#t=2800&r=1`);
    const body = page.locator('#panel-body');
    const wider = (): Promise<number> => body.evaluate((element) => element.scrollWidth - element.clientWidth);
    for (const tab of ['Resident', 'Town', 'Talk', 'Object', 'Take part']) {
      await openTab(page, tab);
      await expect(body.getByText('Loading…')).toHaveCount(0);
      const folded = body.locator('details.section:not([open]) > summary');
      while ((await folded.count()) > 0) await folded.first().click();
      await expect(body.getByText('Loading…')).toHaveCount(0);
      await body.evaluate((element) => element.querySelectorAll('details').forEach((details) => (details.open = true)));
      expect(await wider(), tab).toBeLessThanOrEqual(0);
    }
    // The longest tree of news there is, and the button beside the field.
    await openTab(page, 'Town');
    await body.getByLabel('A piece of news, or any words').fill('supper');
    await body.getByRole('button', { name: 'Who knows?' }).click();
    await expect(body.getByText(/memories mention it/)).toBeVisible();
    await body.evaluate((element) => element.querySelectorAll('details').forEach((details) => (details.open = true)));
    expect(await wider()).toBeLessThanOrEqual(0);
    await body.getByRole('button', { name: 'Who knows?' }).scrollIntoViewIfNeeded();
    await expect(body.getByRole('button', { name: 'Who knows?' })).toBeInViewport({ ratio: 1 });
  });
}

test('every section of a resident and of the town holds what it promises', async ({ page, story }) => {
  const town = await story.serve('day');
  await page.goto(`${town.link}#t=2800`);
  await chooseResident(page, 'Agnes Thorvaldsen');
  const panel = page.locator('#panel-body');
  await expect(panel.locator('.hours > li.now')).toHaveCount(1);
  for (const title of ['Who they are', 'Memory stream', 'What comes to mind', 'Reflections', 'People', 'Talks', 'Places', 'What its mind was asked']) {
    await unfold(page, title);
  }
  await panel.getByLabel('Which').selectOption('all');
  await expect(panel.locator('details', { hasText: 'Understood as' }).first()).toBeAttached();
  await expect(panel.locator('svg circle.me')).toBeVisible();
  await expect(panel.getByText('Loading…')).toHaveCount(0);
  await expect(panel.getByRole('alert')).toHaveCount(0);

  await openTab(page, 'Town');
  for (const title of ['News, and how it travels', 'Gatherings', 'Who has talked with whom', 'What happened', 'Questions, cost, fallbacks']) {
    await unfold(page, title);
  }
  await expect(panel.getByText('lantern supper').first()).toBeVisible();
  await panel.getByLabel('A piece of news, or any words').fill('lantern supper');
  await panel.getByRole('button', { name: 'Who knows?' }).click();
  await expect(panel.getByText(/memories mention it/)).toBeVisible();
  const piece = panel.locator('details:not(.section)', { hasText: 'known by' }).first();
  await piece.locator('summary').click();
  await expect(piece.getByText('knew it first').first()).toBeVisible();
  await expect(panel.locator('table', { hasText: 'Of all pairs' })).toContainText('%');
  await expect(panel.getByText(/answers fell back on rules/)).toBeVisible();
  await expect(panel.getByText('Loading…')).toHaveCount(0);
  await expect(panel.getByRole('alert')).toHaveCount(0);

  // From the list of talks into one, and back.
  await openTab(page, 'Talk');
  await panel.locator('article button.link').first().click();
  await expect(panel.locator('ol > li').first()).toBeVisible();
  await panel.getByRole('button', { name: '← All talks' }).click();
  await expect(panel.getByRole('heading', { name: 'All talks' })).toBeVisible();
});
