// Measures the map with many people in Chromium: `node bench/run.mjs [people …]`. Prints a line of JSON for each view.
// `cpu_ms` is the processor time of the page's main thread for a picture, whatever else the machine does; `script_ms` the
// time its own work took by the clock; `frame_ms` the time from picture to picture, which without a graphics
// card is mostly the time the software renderer takes.
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
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
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
    const cpu_ms = ((after.seconds - before.seconds) * 1000) / (after.pictures - before.pictures);
    console.log(JSON.stringify({ ...(await page.evaluate(() => window.result)), cpu_ms: Number(cpu_ms.toFixed(2)) }));
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}-${people}-${tile}.png` });
    await page.close();
  }
}
await browser.close();
await server.close();
