import { defineConfig } from 'vite';

// The pictures are React components without an entry that Node could import: bundled, they run.
export default defineConfig({
  publicDir: false,
  build: { ssr: 'cards/draw.ts', outDir: '.made/cards', emptyOutDir: true, target: 'node20' },
  ssr: { noExternal: true },
});
