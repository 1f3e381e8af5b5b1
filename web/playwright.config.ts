import { defineConfig } from '@playwright/test';

/**
 * Stories in a real browser, against the real program. `CHROMIUM` names another browser than Debian's, `TOWNSFOLK` another
 * program. No name resolves in that browser: the machine might as well be offline.
 */
export default defineConfig({
  testDir: 'tests',
  testMatch: '*.story.ts',
  globalSetup: './tests/runs.ts',
  // Each story starts the program; two at a time would only make both slow.
  workers: 1,
  // Stories wait for what they tell of, not for time to pass: only what never comes reaches these bounds, however slow the machine.
  timeout: 480_000,
  expect: { timeout: 90_000 },
  // A machine that stalls for a moment may fail a story, and the report says so; what fails three times is broken.
  retries: 2,
  reporter: [['list']],
  outputDir: 'node_modules/.playwright',
  use: {
    viewport: { width: 1280, height: 800 },
    // Without a graphics card the processor draws every pixel, and nobody looks at these: a quarter of them will do.
    deviceScaleFactor: 0.5,
    locale: 'en-GB',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    },
  },
});
