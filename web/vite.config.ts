import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const FLOOR = process.env.HOUSEWAY_FLOOR ?? 'http://127.0.0.1:8000';

// The screens go into the package: whoever installs a built Houseway needs no Node.
export default defineConfig({
  plugins: [svelte()],
  publicDir: '.made/public',
  build: {
    outDir: '../houseway/server/screens',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    // Both themes are written once, with light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A strict Content-Security-Policy allows no data: addresses and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // How long plugins take is nobody's concern on a busy machine.
    rollupOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { '/api': FLOOR, '/cards': FLOOR } },
});
