/** The tests in Python and Go that the guide shows, against a gateway with the script that it shows. */
import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folder.ts';
import { launch } from '../harness/launch.ts';
import { leftOut, openaiGo, openaiGoMissing, python, pythonMissing } from '../harness/tools.ts';
import { blocksOf } from '../samples/samples.ts';

const run = promisify(execFile);
const blocks = blocksOf('docs/guides/scripted-responses.md');
const findBlock = (start: string): string => blocks.find(({ code }) => code.startsWith(start))?.code ?? '';

/** Runs the test as the guide says, and resolves with its output. */
async function runTest(file: string, code: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, file), code);
  writeFileSync(join(folder, 'answers.json'), findBlock('{\n  "answers"'));
  for (const name of ['go.mod', 'go.sum']) copyFileSync(join(import.meta.dirname, '../fixtures/go-tests', name), join(folder, name));
  const words = [launch, 'test', '--script', 'answers.json', '--strict', '--', ...command];
  const { stdout, stderr } = await run(process.execPath, words, { cwd: folder, env: { PATH: process.env.PATH, HOME: homedir(), ...env } });
  return stdout + stderr;
}

test.skipIf(pythonMissing !== null)(`passes the guide's test in Python${leftOut(pythonMissing)}`, async () => {
  const code = findBlock('import json');
  const runUnittest = (text: string) => runTest('test_agent.py', text, [python.program, '-m', 'unittest']);
  expect(await runUnittest(code)).toMatch(/Ran 2 tests [\s\S]*OK\n$/);
  await expect(runUnittest(code.replace('"Sunny."', '"Rainy."'))).rejects.toThrow("'Sunny.' != 'Rainy.'");
});

test.skipIf(openaiGoMissing !== null)(`passes the guide's test in Go${leftOut(openaiGoMissing)}`, async () => {
  const code = findBlock('package agent');
  const env = { GOMODCACHE: join(openaiGo.folder, 'modules'), GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  const runGo = (text: string) => runTest('agent_test.go', text, ['go', 'test', '-vet=off'], env);
  expect(await runGo(code)).toMatch(/^PASS\nok /);
  await expect(runGo(code.replace('429', '430'))).rejects.toMatchObject({ stdout: expect.stringContaining('FAIL: TestRateLimit') });
});
