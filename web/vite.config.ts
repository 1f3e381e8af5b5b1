import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** `TOWNSFOLK_SERVER` is where a `townsfolk serve` listens while one works on the page with `npm run dev`. */
const server = process.env['TOWNSFOLK_SERVER'] ?? 'http://127.0.0.1:7878';

export default defineConfig({
  plugins: [svelte()],
  base: './',
  build: {
    target: 'es2022',
    // Browsers that know `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's policy forbids inline scripts, so nothing may be inlined, and no polyfill is needed.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    // Names that stay, since `dist` is in the repository; the server's entity tags tell what has changed.
    rolldownOptions: {
      output: { entryFileNames: 'assets/[name].js', chunkFileNames: 'assets/[name].js', assetFileNames: 'assets/[name][extname]' },
    },
    reportCompressedSize: true,
    chunkSizeWarningLimit: 900,
  },
  // The server answers pages of its own origin only.
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: true, headers: { origin: server } } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
