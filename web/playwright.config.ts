import { defineConfig } from '@playwright/test';

/**
 * Stories in a real browser against the real program. `TOWNSFOLK_BIN` names the program (default: the debug build),
 * `CHROMIUM` the browser (default: Debian's). No name resolves in that browser: the machine might as well be offline.
 */
export default defineConfig({
  testDir: 'tests',
  globalSetup: './tests/support/runs.ts',
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env['CI'] ? 'line' : 'list',
  outputDir: 'tests/.results',
  use: {
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    },
  },
});
