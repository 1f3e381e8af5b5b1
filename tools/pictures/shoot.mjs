// Takes the pictures of the README: `node tools/pictures/shoot.mjs LINK FOLDER`, where LINK serves two days of Osier Quay.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('@playwright/test');
const [link, folder] = process.argv.slice(2);
if (!link || !folder) throw new Error('usage: node tools/pictures/shoot.mjs LINK FOLDER');
mkdirSync(folder, { recursive: true });

/** The run begins at five in the morning; a tick is ten seconds. */
const tick = (day, hour) => Math.round(((day - 1) * 24 + hour - 5) * 360);
const FRAMES = Number(process.env.FRAMES ?? 72);
const FRAME_MS = 100;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

/** Opens the page at a moment; its clock stands. */
async function open(colorScheme, address, viewport) {
  const page = await browser.newPage({ viewport, colorScheme, locale: 'en-GB' });
  await page.clock.install({ time: 0 });
  await page.goto(new URL(`#${address}`, link).href);
  await page.waitForFunction(() => document.documentElement.dataset.renderer);
  // From here on time passes only where it is told to.
  await page.clock.pauseAt(600_000);
  await settle(page);
  return page;
}

/** Lets the page load and paint what it shows. */
async function settle(page) {
  for (let i = 0; i < 30; i += 1) {
    await page.clock.runFor(50);
    await page.evaluate(() => new Promise((done) => queueMicrotask(done)));
  }
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(1000);
}

const WIDE = { width: 1440, height: 900 };
const wanted = process.env.ONLY?.split(',') ?? ['day', 'night', 'frames'];
for (const [name, scheme, address] of [
  ['day', 'light', `t=${tick(1, 12.45)}`],
  ['night', 'dark', `t=${tick(1, 21.3)}`],
]) {
  if (!wanted.includes(name)) continue;
  const page = await open(scheme, address, WIDE);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
}

// Guests on their way to the supper on the second day, from nearby.
const page = await open('light', `t=${tick(2, 17.96)}`, WIDE);
const map = await page.locator('#map').boundingBox();
await page.mouse.move(map.x + map.width * 0.98, map.y + map.height * 0.72);
await page.mouse.wheel(0, -540);

await settle(page);
await page.locator('#speed').selectOption('60');
await page.locator('#play').click();
await page.mouse.move(5, 5);
const clip = { x: map.x + map.width - 820 - 60, y: map.y + 190, width: 820, height: 500 };
for (let frame = 0; frame < FRAMES; frame += 1) {
  await page.clock.runFor(FRAME_MS);
  await page.screenshot({ path: join(folder, `frame-${String(frame).padStart(3, '0')}.png`), clip });
}
await browser.close();
