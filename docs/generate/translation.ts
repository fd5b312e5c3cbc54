/** Writes docs/generated/translation.md by running the cases it shows. With `--check`, it fails if the page is stale. */
import { spawnSync } from 'node:child_process';

const root = new URL('../..', import.meta.url);
const isCheck = process.argv.includes('--check');
// With `CI` set, the test fails on a missing page; otherwise, it writes the page.
const env = { ...process.env, ...(isCheck && { CI: 'true' }) };
const command = [
  'node_modules/vitest/vitest.mjs',
  'run',
  'test/e2e/translation.test.ts',
  '--reporter=dot',
  ...(isCheck ? [] : ['--update']),
];

if (import.meta.main) process.exitCode = spawnSync(process.execPath, command, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
