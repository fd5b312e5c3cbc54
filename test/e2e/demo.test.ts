/** `npm run demo` calls all five operations, or says why it cannot. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const demo = fileURLToPath(new URL('../../client/sdk/demo/run.ts', import.meta.url));
const run = promisify(execFile);
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelgate-demo-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('runs all five operations, saves two images, and leaves nothing else behind', async () => {
  // The settings of the user's own gateway, which the demo must not use.
  const env = { ...process.env, MODELGATE_CONFIG: '/nowhere/modelgate.yaml', OPENAI_API_KEY: 'sk-not-to-be-used', TMPDIR: folder };
  const { stdout } = await run(process.execPath, [demo, '--out', join(folder, 'images')], { env });
  for (const method of ['listModels', 'createResponse', 'createChatCompletion', 'generateImages', 'editImages'])
    expect(stdout).toContain(method);
  expect(stdout).toContain('All five operations succeeded');
  expect(await readdir(folder)).toEqual(['images']);
  for (const name of ['lighthouse.png', 'lighthouse-lit.png']) {
    const image = await readFile(join(folder, 'images', name));
    expect(image.subarray(1, 4).toString(), name).toBe('PNG');
  }
});

test("fails with the reason when the demo can't start its gateway", async () => {
  const env = { ...process.env, OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: 'not an address', TMPDIR: folder };
  const failed = await run(process.execPath, [demo, '--real'], { env }).catch((error) => error);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/The demo failed: .*did not start(?:.|\n)*OPENAI_BASE_URL/);
});
