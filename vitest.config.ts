import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/harness/closing-line.ts';
import { PromisePage } from './test/harness/promise-page.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', new ClosingLine(), new PromisePage()],
  },
});
