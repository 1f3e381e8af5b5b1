/** Other machines and other hands: another computer's browser, no graphics card, two fingers, a tab in the background, a power cut. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, chromium } from '@playwright/test';
import { TWO_NEIGHBOURS, moment, serve, spot } from './served.ts';
import { drawn, expect, test } from './story.ts';

/** How many colours a picture of the map holds. */
async function colours(page: Page): Promise<number> {
  const picture = (await page.locator('#map').screenshot()).toString('base64');
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    context.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  }, picture);
}

test('outside of this machine a token is needed; the link has it, and the address soon no longer', async ({ page, context, browser, story }) => {
  const town = await story.serve('neighbours', '--host', '0.0.0.0');
  const link = town.link.replace('localhost', '127.0.0.1');
  expect(link).toMatch(/#token=\S{16,}$/);
  const bare = link.replace(/#.*/, '');
  // Of several pages only one is looked at: the others need not be drawn again and again.
  const calm = async (each: Page): Promise<Page> => (await each.emulateMedia({ reducedMotion: 'reduce' }), each);
  await calm(page);
  await page.goto(bare);
  await expect(page.getByRole('alert')).toContainText('This town is shown only to those who have its token.');
  await expect(page.locator('#clock')).toHaveCount(0);
  // Another town's token, out of the link or typed, is none.
  await page.goto('about:blank');
  await page.goto(`${bare}#token=0123456789&t=7`);
  await expect(page.getByRole('alert')).toContainText('That is not the token');
  expect(page.url()).not.toContain('0123456789');
  await page.getByLabel('Token, or link').fill('abc');
  await page.getByRole('button', { name: 'Enter' }).click();
  await expect(page.getByRole('alert')).toContainText('That is not the token');

  const invited = await calm(await context.newPage());
  await invited.goto(`${link}&t=100&r=1`);
  await expect(invited.locator('#clock')).toHaveAttribute('data-tick', '100');
  expect(invited.url()).not.toContain('token');
  await drawn(invited);
  // From now on the browser is known: a reload and other tabs need no token.
  await page.reload();
  await drawn(page);
  await expect(page.getByRole('alert')).toHaveCount(0);

  // Whoever types or pastes it in is where the link led.
  const stranger = await calm(await (await browser.newContext()).newPage());
  for (const typed of [link, link.replace(/.*=/, '')]) {
    await stranger.context().clearCookies();
    await stranger.goto('about:blank');
    await stranger.goto(`${bare}#t=90`);
    await stranger.getByLabel('Token, or link').fill(typed);
    await stranger.getByRole('button', { name: 'Enter' }).click();
    await expect(stranger.locator('#clock')).toHaveAttribute('data-tick', '90');
    await expect(stranger.getByLabel('Token, or link')).toHaveCount(0);
  }
  await stranger.context().close();
});

for (const [what, viewport] of [
  ['on a phone', { width: 390, height: 844 }],
  ['at 200 %', { width: 640, height: 400 }],
] as const) {
  test(`${what} every control of the top bar is in sight`, async ({ page, context, story }) => {
    await context.grantPermissions(['clipboard-write']);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const town = await story.serve('neighbours', '--read-only');
    await page.setViewportSize(viewport);
    await page.goto(`${town.link}#t=1000`);
    await drawn(page);
    const bar = page.locator('header');
    for (const control of await bar.locator('button, select').all()) await expect(control).toBeInViewport({ ratio: 1 });
    await expect(bar.getByText('Residents are computer programs.')).toBeInViewport({ ratio: 1 });
    await bar.getByRole('button', { name: 'Copy a link to this moment' }).click();
    await expect(page.getByText('The link to this moment is on the clipboard.')).toBeVisible();
    await bar.getByLabel('Colours').selectOption('Dark');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

test('without WebGL the town is drawn all the same', async ({ story }) => {
  const town = await story.serve('neighbours', '--read-only');
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-webgl', '--disable-webgl2', '--disable-3d-apis'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${town.link}#t=1000`);
    await expect(page.locator('html')).toHaveAttribute('data-renderer', 'canvas');
    await drawn(page);
    await expect.poll(() => colours(page)).toBeGreaterThan(40);
    const there = await spot(page, 0);
    const box = (await page.locator('#map').boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(box.x + there.x, box.y + there.y);
    await expect(page.locator('#panel-body').getByRole('heading', { level: 2 })).toHaveText('Nora Lindqvist');
  } finally {
    await browser.close();
  }
});

test('without a font for emoji there are no boxes: a joined one whose pieces are missing is left out too', async ({ story, folder }) => {
  const fonts = join(folder, 'fonts.conf');
  const config = `<fontconfig>
    <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
    <selectfont><rejectfont><glob>*moji*</glob></rejectfont></selectfont>
  </fontconfig>`;
  writeFileSync(fonts, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">${config}`);
  const town = await story.serve('day', '--read-only');
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-webgl', '--disable-webgl2', '--disable-3d-apis'],
    env: { ...process.env, FONTCONFIG_FILE: fonts },
  });
  try {
    const page = await browser.newPage();
    // A teacher at work: a woman and a school, joined.
    await page.goto(`${town.link}#t=2000&r=5`);
    const doing = page.locator('#panel-body p.now');
    await expect(doing).toContainText('teaching');
    await expect(doing.locator('.emoji')).toHaveCount(0);
  } finally {
    await browser.close();
  }
});

test('on a phone two fingers zoom, one moves the map', async ({ browser, story }) => {
  const town = await story.serve('neighbours', '--read-only');
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${town.link}#t=1000`);
  await drawn(page);
  const apart = async (): Promise<number> => {
    const [a, b] = [await spot(page, 0), await spot(page, 1)];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  const box = (await page.locator('#map').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const hands = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: [number, number][]) =>
    hands.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([left, top], id) => ({ x: left, y: top, id })) });
  const before = await apart();
  await touch('touchStart', [x - 30, y], [x + 30, y]);
  for (const reach of [36, 42, 48]) await touch('touchMove', [x - reach, y], [x + reach, y]);
  await touch('touchEnd');
  await expect.poll(apart).toBeGreaterThan(before * 1.4);
  expect(await apart()).toBeLessThan(before * 1.8);

  const here = await spot(page, 0);
  await touch('touchStart', [x, y]);
  for (const way of [10, 20, 30]) await touch('touchMove', [x + way, y]);
  await touch('touchEnd');
  await expect.poll(async () => (await spot(page, 0)).x - here.x).toBeGreaterThan(20);
  await context.close();
});

test('a tab that slept in the background is at the head again at once', async ({ page, story }) => {
  const town = await story.start('run', TWO_NEIGHBOURS, '--days', '365', '--out', 'long.run', '--port', '0', '--speed', '3000');
  const origin = new URL(town.link).origin;
  expect((await (await page.request.get(`${origin}/api/run`)).json()).mode.speed).toBe(3000);
  await page.goto(town.link);
  await expect(page.locator('#mode')).toHaveText('LIVE');
  const life = await page.context().newCDPSession(page);
  await life.send('Page.setWebLifecycleState', { state: 'frozen' });
  const head = async (): Promise<number> => (await (await page.request.get(`${origin}/api/run`)).json()).head;
  const slept = await head();
  await expect.poll(head).toBeGreaterThan(slept + 1500);
  const missed = await head();
  await life.send('Page.setWebLifecycleState', { state: 'active' });
  await expect.poll(async () => (await moment(page)).tick).toBeGreaterThanOrEqual(missed);
  await expect(page.locator('#mode')).toHaveText('LIVE');
});

test('the program is killed while it computes, and taken up again: the page says so and goes on by itself', async ({ page, folder }) => {
  const first = await serve(folder, ['run', TWO_NEIGHBOURS, '--days', '365', '--out', 'long.run', '--port', '0']);
  const { port, origin } = new URL(first.link);
  await page.request.post(`${origin}/api/control`, { data: { command: 'speed', speed: 3000 }, headers: { origin } });
  await page.goto(first.link);
  await expect(page.locator('#mode')).toHaveText('LIVE');
  await expect.poll(async () => (await moment(page)).tick).toBeGreaterThan(10);
  await first.kill();
  const away = page.getByRole('alert').filter({ hasText: 'The server is away' });
  await expect(away).toBeVisible();
  const second = await serve(folder, ['resume', 'long.run', '--port', port]);
  try {
    await expect(away).toBeHidden({ timeout: 30_000 });
    await expect(page.locator('#mode')).toHaveText('LIVE');
    const { tick } = await moment(page);
    await expect.poll(async () => (await moment(page)).tick).toBeGreaterThan(tick);
  } finally {
    await second.stop();
  }
});
