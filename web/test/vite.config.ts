import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts'));

// Bundled, because the oldest Node that we build with runs no TypeScript.
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: '.made/test',
    emptyOutDir: true,
    target: 'node20',
    rollupOptions: { input: tests.map((name) => `test/${name}`) },
  },
  ssr: { noExternal: true },
});
