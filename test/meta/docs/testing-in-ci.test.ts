/** The guide for people who test in CI: its workflow runs as a shell would run it, and its table is the list of scenarios. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { scenarios } from '../../../server/providers/simulator/scenarios.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { blocksOf, readPage, root } from '../../samples/samples.ts';

const run = promisify(execFile);
const page = 'docs/guides/testing-in-ci.md';
const file = readFileSync(join(root, 'docs/examples/testing-in-ci.yml'), 'utf8');

const Step = z.object({ name: z.string().optional(), uses: z.string().optional(), run: z.string().optional(), if: z.string().optional() });
const Workflow = z.object({ jobs: z.object({ test: z.object({ steps: z.array(Step) }) }) });
const { steps } = Workflow.parse(parse(file)).jobs.test;

/** A project with the test of the guide, and with the packages that `npm ci` would have installed. */
function openProject(program: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }));
  writeFileSync(join(folder, 'guide.test.mjs'), program);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(root, 'node_modules/openai'), join(folder, 'node_modules/openai'));
  const launch = join(root, 'server/operate/launch.mjs');
  writeFileSync(join(folder, 'node_modules/.bin/modelgate'), `#!/bin/sh\nexec node '${launch}' "$@"\n`, { mode: 0o755 });
  return folder;
}

interface Ran {
  readonly step: string;
  readonly code: number;
  readonly output: string;
}

/** As the runner does: each step in a shell of its own, with what the steps before it have put into the environment. */
async function runSteps(program: string): Promise<readonly Ran[]> {
  const [folder, temporary] = [openProject(program), temporaryFolder()];
  const kept = join(temporary, 'env');
  writeFileSync(kept, '');
  const ran: Ran[] = [];
  let hasFailed = false;
  for (const { run: script, if: condition } of steps) {
    if (script === undefined || script === 'npm ci') continue;
    if (condition === 'failure()' ? !hasFailed : hasFailed && condition !== 'always()') continue;
    const lines = readFileSync(kept, 'utf8').split('\n').filter(Boolean);
    const own = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
    const env = { PATH: path, HOME: temporary, RUNNER_TEMP: temporary, GITHUB_ENV: kept, CI: 'true', npm_config_offline: 'true', ...own };
    const outcome = await run('bash', ['-e', '-c', script], { cwd: folder, env }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, output: error.stdout + error.stderr }),
    );
    hasFailed ||= outcome.code !== 0;
    ran.push({ step: script, ...outcome });
  }
  return ran;
}

const [program] = blocksOf(page).filter(({ language }) => language === 'js');

test('starts the mock, passes the tests of the guide, and stops the mock', async () => {
  const ran = await runSteps(program?.code ?? '');
  expect(ran.map(({ step, code, output }) => ({ step, code, output: code === 0 ? '' : output }))).toEqual(
    ran.map(({ step }) => ({ step, code: 0, output: '' })),
  );
  expect(ran).toHaveLength(3);
  expect(ran[1]?.output).toMatch(/pass 4\n/);
});

test('fails the job when a test fails, and shows the requests to the mock', async () => {
  const ran = await runSteps((program?.code ?? '').replace("'hello');", "'good bye');"));
  expect(ran.map(({ code }) => code)).toEqual([0, expect.not.toSatisfy((code) => code === 0), 0, 0]);
  expect(ran.at(-1)?.output).toContain('"msg":"request"');
});

test('shows the file unchanged, with the actions of our own workflows', () => {
  expect(blocksOf(page).map(({ code }) => code)).toContain(file.trimEnd());
  const ours = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used).toHaveLength(2);
  for (const action of used) expect(ours).toContain(action);
});

test("lists every scenario in the guide's table", () => {
  const rows = scenarios.map(({ form, does }) => `| \`${form}\` | ${does} |`);
  expect(readPage(page)).toContain(`|---|---|\n${rows.join('\n')}\n\n`);
});
