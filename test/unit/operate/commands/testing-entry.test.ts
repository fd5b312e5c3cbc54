/** The entry of `modelgate/testing` on a Node that is too old: one sentence, before anything else is loaded. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { oldNode } from '../../../harness/old-node.ts';

const entry = join(import.meta.dirname, '../../../../server/operate/testing-entry.mjs');
const run = promisify(execFile);

/** A Node that says it is old and cannot load TypeScript. */
const old = `
import { registerHooks } from 'node:module';
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.18.0' } });
registerHooks({ load(url, context, next) { if (url.endsWith('.ts')) throw new SyntaxError('no types'); return next(url, context); } });
`;

test('names the required version to a Node that is too old', async () => {
  const worker = new Worker(entry, { execArgv: ['--import', `data:text/javascript,${encodeURIComponent(old)}`], env: {} });
  await expect(once(worker, 'exit')).rejects.toThrow(
    /^modelgate: needs Node 22\.21 or newer, this is 22\.18\.0\. [^\n]*npm install --save-dev node@24$/,
  );
});

test.skipIf(oldNode === null)('names it to a real old Node, too (skipped where this machine has none)', async () => {
  const code = `import(${JSON.stringify(entry)}).catch(({ name, message }) => console.log(name + ': ' + message))`;
  const { stdout, stderr } = await run(oldNode ?? '', ['--eval', code]);
  expect([stdout, stderr]).toEqual([
    expect.stringMatching(/^Error: modelgate: needs Node 22\.21 or newer, this is \d+\.\d+\.\d+\. [^\n]*\n$/),
    '',
  ]);
});

test('starts a gateway on a Node that is new enough', async () => {
  const code = `const { startGateway } = await import(${JSON.stringify(entry)}); const gateway = await startGateway(); await gateway.stop(); console.log(gateway.baseUrl);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { env: {} });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\n$/);
});
