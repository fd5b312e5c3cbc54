/** The guide for people who test in CI: its workflow runs as a shell would run it, and its table is the list of scenarios. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { scenarios } from '../../server/providers/simulator/scenarios.ts';
import { serve } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { leftOut, oasdiff, oasdiffMissing } from '../harness/tools.ts';
import { blocksOf, readPage, root } from './samples.ts';

const run = promisify(execFile);
const page = 'docs/guides/testing-in-ci.md';
const pages = [page, 'docs/guides/scripted-responses.md'];
const file = readFileSync(join(root, 'docs/examples/testing-in-ci.yml'), 'utf8');

const Step = z.object({ name: z.string().optional(), uses: z.string().optional(), run: z.string().optional(), if: z.string().optional() });
const Job = z.object({ steps: z.array(Step) });
const { jobs } = z.object({ jobs: z.object({ test: Job, deployment: Job }) }).parse(parse(file));

function findBlock(start: string): string {
  const block = pages.flatMap(blocksOf).find(({ code }) => code.startsWith(start));
  if (block === undefined) throw new Error(`no page has a block that starts with ${start}`);
  return block.code;
}

const files = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'guide.test.mjs': findBlock('import assert'),
  'answers.json': findBlock('{\n  "answers"'),
  'oasdiff-levels.txt': findBlock('response-body'),
  'openapi.json': readFileSync(join(root, 'docs/generated/openapi.json'), 'utf8'),
};

/** A project with the files of the guide, and with the packages that `npm ci` would have installed. */
function openProject(changes: Partial<typeof files>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ ...files, ...changes })) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(root, 'node_modules/openai'), join(folder, 'node_modules/openai'));
  const launch = join(root, 'server/operate/launch.mjs');
  writeFileSync(join(folder, 'node_modules/.bin/modelgate'), `#!/bin/sh\nexec node '${launch}' "$@"\n`, { mode: 0o755 });
  return folder;
}

/** A `go` that runs the installed program instead of downloading the one of the same version. */
function openPrograms(): string {
  const folder = temporaryFolder();
  const go = `#!/bin/sh\n[ "$2" = 'github.com/oasdiff/oasdiff@${oasdiff.version}' ] || exit 99\nshift 2\nexec '${oasdiff.program}' "$@"\n`;
  writeFileSync(join(folder, 'go'), go, { mode: 0o755 });
  return folder;
}

interface Ran {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

/** As the runner does: each step in a shell of its own. After a failure only the steps that are for it run. */
async function runSteps(job: keyof typeof jobs, changes: Partial<typeof files> = {}, variables = {}): Promise<readonly Ran[]> {
  const [folder, temporary] = [openProject(changes), temporaryFolder()];
  const path = [openPrograms(), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH: path, HOME: temporary, RUNNER_TEMP: temporary, CI: 'true', npm_config_offline: 'true', ...variables };
  const ran: Ran[] = [];
  let hasFailed = false;
  for (const { name = '', run: script, if: condition } of jobs[job].steps) {
    if (script === undefined || script === 'npm ci' || hasFailed !== (condition === 'failure()')) continue;
    const outcome = await run('bash', ['-e', '-c', script], { cwd: folder, env }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, output: error.stdout + error.stderr }),
    );
    hasFailed ||= outcome.code !== 0;
    ran.push({ name, ...outcome });
  }
  return ran;
}

/** A document in which a response still has a field that the API has no more. */
function addRemovedField(): string {
  const document = JSON.parse(files['openapi.json']);
  document.components.schemas.Model.properties.price = { type: 'string' };
  document.components.schemas.Model.required.push('price');
  return JSON.stringify(document);
}

const passed = (ran: readonly Ran[]) => ran.map(({ name, code, output }) => [name, code === 0 ? '' : output]);

describe.skipIf(oasdiffMissing !== null)(`the workflow of the guide${leftOut(oasdiffMissing)}`, () => {
  test('passes the tests of the guide against the mock, and finds no breaking change', async () => {
    const ran = await runSteps('test');
    expect(passed(ran)).toEqual([
      ['Run the tests against a mock', ''],
      ['Check the installed version for breaking changes', ''],
    ]);
    expect(ran[0]?.output).toMatch(/pass 5\n/);
  });

  test('fails the job when a test fails, and shows the requests to the mock', async () => {
    const ran = await runSteps('test', { 'guide.test.mjs': files['guide.test.mjs'].replace("'hello');", "'good bye');") });
    expect(ran.map(({ name, code }) => [name, code])).toEqual([
      ['Run the tests against a mock', 1],
      ['Show the requests to the mock', 0],
    ]);
    expect(ran.at(-1)?.output).toContain('"msg":"request"');
  });

  test('fails the job when the API has lost a field that the code was written for', async () => {
    const ran = await runSteps('test', { 'openapi.json': addRemovedField(), 'guide.test.mjs': '' });
    expect(ran.at(-1)).toEqual({
      name: 'Check the installed version for breaking changes',
      code: 1,
      output: expect.stringContaining('price'),
    });
  });

  test('checks a deployment against the contract, and its API for breaking changes', async () => {
    const { origin, key = '' } = await serve({}, ['--simulate']);
    const ran = await runSteps('deployment', {}, { GATEWAY: origin, MODELGATE_API_KEY: key });
    expect(passed(ran)).toEqual([
      ['Check the deployment against the contract', ''],
      ['Check the deployment for breaking changes', ''],
    ]);
  });
});

test('shows the main step of the file, which has the actions of our own workflows', () => {
  expect(blocksOf(page).map(({ code }) => code)).toContain(jobs.test.steps.find(({ run }) => run?.includes('modelgate test'))?.run);
  const ours = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  const used = [...jobs.test.steps, ...jobs.deployment.steps].flatMap(({ uses }) => uses ?? []);
  expect(used).toHaveLength(4);
  for (const action of used) expect(ours).toContain(action);
});

test("lists every scenario in the guide's table", () => {
  const rows = scenarios.map(({ form, does }) => `| \`${form}\` | ${does} |`);
  expect(readPage('docs/guides/simulator.md')).toContain(`|---|---|\n${rows.join('\n')}\n\n`);
});
