// Measures the map with many people in Chromium: `node bench/run.mjs [people …]`. Prints a line of JSON for each view.
// `cpu_ms` is the processor time of the page's main thread for a picture, whatever else the machine does: the mean of
// pictures shown in a row, and median, p95 and p99 of pictures drawn one by one (asking for each included); `script_ms` is
// the time its own work took by the clock; `frame_ms` the time from picture to picture, which without a graphics
// card is mostly the time the software renderer takes: RATIO=0.1 gives that a hundredth of the pixels, the page's own work
// being the same.
import { chromium } from '@playwright/test';
import { createServer } from 'vite';

const counts = process.argv.slice(2).map(Number);
const server = await createServer({ root: new URL('..', import.meta.url).pathname, server: { port: 0 }, logLevel: 'error' });
await server.listen();
const address = server.resolvedUrls?.local[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
for (const people of counts.length > 0 ? counts : [25, 1000]) {
  for (const tile of [0, 12, 32]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: Number(process.env.RATIO ?? 1) });
    await page.goto(`${address}bench/crowd.html?people=${people}&tile=${tile}&pictures=${process.env.PICTURES ?? 600}`);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const used = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      const seconds = metrics.find(({ name }) => name === 'TaskDuration').value;
      return { seconds, pictures: await page.evaluate(() => window.pictures) };
    };
    await page.waitForFunction(() => window.pictures > 60, null, { timeout: 600_000 });
    const before = await used();
    await page.waitForFunction(() => 'result' in window, null, { timeout: 600_000 });
    const after = await used();
    const mean = ((after.seconds - before.seconds) * 1000) / (after.pictures - before.pictures);
    const each = [];
    for (let i = 0; i < 300; i += 1) {
      const { seconds } = await used();
      await page.evaluate(() => window.step());
      each.push(((await used()).seconds - seconds) * 1000);
    }
    each.sort((a, b) => a - b);
    const at = (part) => Number(each[Math.floor(each.length * part)].toFixed(2));
    const cpu_ms = { mean: Number(mean.toFixed(2)), median: at(0.5), p95: at(0.95), p99: at(0.99) };
    console.log(JSON.stringify({ ...(await page.evaluate(() => window.result)), cpu_ms }));
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}-${people}-${tile}.png` });
    await page.close();
  }
}
await browser.close();
await server.close();
