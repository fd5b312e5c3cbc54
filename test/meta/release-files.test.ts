/** How a release comes about, as far as it can be seen without making one: what the workflows may do, whom they trust, and which tags they take. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { recipes } from '../../client/packages/recipes.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');

const Step = z.object({ uses: z.string().optional(), run: z.string().optional(), with: z.record(z.string(), z.unknown()).default({}) });
const Job = z.object({
  permissions: z.record(z.string(), z.string()).optional(),
  needs: z.string().optional(),
  uses: z.string().optional(),
  environment: z.string().optional(),
  'runs-on': z.string().optional(),
  'timeout-minutes': z.number().optional(),
  strategy: z.looseObject({}).optional(),
  steps: z.array(Step).default([]),
});
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), Job),
});
type Job = z.infer<typeof Job>;

const files = readdirSync(folder);
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
const read = (file: string) => Workflow.parse(parse(textOf(file)));
const jobsOf = (file: string) => Object.entries(read(file).jobs).map(([name, job]) => [`${name} of ${file}`, job] as const);
const jobs = files.flatMap(jobsOf);
const programs = ({ steps }: Job): string => steps.map(({ run = '' }) => run).join('\n');

describe('F51: a workflow', () => {
  test('names each external action by its full commit hash and version, with one commit for each action', () => {
    const used = jobs.flatMap(([, { uses, steps }]) => [uses, ...steps.map((step) => step.uses)]).filter((name) => name !== undefined);
    const foreign = used.filter((name) => !name.startsWith('./'));
    expect(foreign.length).toBeGreaterThan(10);
    expect(foreign.filter((name) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
    const lines = files.flatMap((file) => textOf(file).split('\n')).filter((line) => line.includes('uses: actions/'));
    expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const commits = Map.groupBy(new Set(foreign), (name) => name.split('@')[0]);
    expect([...commits.values()].filter((several) => several.length > 1)).toEqual([]);
  });

  test('gets no secret, and inserts no input from outside into a script', () => {
    expect(files.filter((file) => /\bsecrets\b|pull_request_target|workflow_run|NODE_AUTH_TOKEN|NPM_TOKEN/.test(textOf(file)))).toEqual([]);
    expect(jobs.filter(([, job]) => programs(job).includes('${{'))).toEqual([]);
  });

  test('runs no program that it has downloaded', () => {
    const fetched = /\b(?:curl|wget)\b|\bnpx\b|\|\s*(?:ba)?sh\b|npm (?:i|install|exec)\b/;
    expect(jobs.filter(([, job]) => fetched.test(programs(job)))).toEqual([]);
    const installs = jobs.flatMap(([, { steps }]) => steps.map(({ run = '' }) => run)).filter((run) => /\bnpm ci\b/.test(run));
    expect(new Set(installs)).toEqual(new Set(['npm ci --ignore-scripts']));
  });

  test('runs on one kind of machine, with a time limit, and leaves no credentials in the folder', () => {
    for (const [name, job] of jobs) {
      if (job.uses !== undefined) expect(job.uses, name).toBe('./.github/workflows/ci.yml');
      else expectBounded(name, job);
    }
  });
});

function expectBounded(name: string, job: Job): void {
  expect(job['runs-on'], name).toMatch(/^ubuntu-\d\d\.04(\$\{\{ matrix\.arch == 'arm64' && '-arm' \|\| '' \}\})?$/);
  expect(job['timeout-minutes'], name).toBeLessThanOrEqual(60);
  for (const { uses = '', with: settings } of job.steps) {
    if (uses.startsWith('actions/checkout@')) expect(settings['persist-credentials'], name).toBe(false);
    // What another run left in a cache would be in the release.
    if (uses.startsWith('actions/setup-node@')) expect(settings, name).toMatchObject({ 'package-manager-cache': false });
  }
}

describe('F51: a release', () => {
  const release = read('release.yml');

  test('grants no permissions by default, and each job only the necessary ones', () => {
    expect(release.on).toEqual({ push: { tags: ['v*.*.*'] } });
    expect(release.permissions).toEqual({});
    const reads = { contents: 'read' };
    const signs = { 'id-token': 'write' };
    expect(Object.fromEntries(Object.entries(release.jobs).map(([name, { permissions }]) => [name, permissions]))).toEqual({
      tag: reads,
      checks: reads,
      pack: reads,
      image: { ...reads, packages: 'write' },
      manifest: { ...signs, packages: 'write', attestations: 'write' },
      npm: signs,
      page: { ...signs, contents: 'write', attestations: 'write' },
    });
    expect(read('ci.yml').permissions).toEqual(reads);
  });

  test('runs its jobs one after another, and irreversible steps only after all others have passed', () => {
    const after = Object.entries(release.jobs).map(([name, { needs }]) => (needs === undefined ? name : `${name} after ${needs}`));
    expect(after).toEqual([
      'tag',
      'checks after tag',
      'pack after checks',
      'image after pack',
      'manifest after image',
      'npm after manifest',
      'page after npm',
    ]);
    expect(release.jobs.npm?.environment).toBe('npm');
  });

  test('publishes every package, one at a time, each after its dependencies', () => {
    const tarballs = recipes.map(({ name }) => name.replace('@', '').replace('/', '-'));
    expect(release.jobs.npm?.strategy).toEqual({ 'max-parallel': 1, 'fail-fast': true, matrix: { package: tarballs } });
  });

  test.each(jobsOf('release.yml').filter(([, { permissions }]) => Object.values(permissions ?? {}).includes('write')))(
    'signs and publishes in a job that runs no external package: %s',
    (_, job) => {
      const outside = programs(job).replaceAll(/\bdocker run (?:--\S+ )*--network none .*/g, '');
      expect(outside).not.toMatch(/\bnpm (?:ci|run|test|start|exec)\b|\bnode\b|\.ci\//);
      for (const [call] of programs(job).matchAll(/\bnpm .*/g)) expect(call).toMatch(/^npm publish \S+ --provenance .*--ignore-scripts$/);
    },
  );

  test('attests client and image, with a parts list, and the hashes on its page', () => {
    const attested = Object.entries(release.jobs).flatMap(([name, { steps }]) =>
      steps
        .filter(({ uses }) => uses?.startsWith('actions/attest@'))
        .map(({ with: settings }) => [name, ...Object.keys(settings)].join(' ')),
    );
    expect(attested).toEqual([
      'manifest subject-name subject-digest push-to-registry create-storage-record',
      'manifest subject-name subject-digest sbom-path push-to-registry create-storage-record',
      'page subject-checksums',
    ]);
  });
});

test('publishes the OpenAPI documents with every release, and hashes them', () => {
  const { pack, page } = read('release.yml').jobs;
  const documents = ['openapi.json', 'openapi-3.2.json', 'admin-openapi.json'].map((name) => `docs/generated/${name}`);
  expect(pack && programs(pack)).toContain(`cp ${documents.join(' ')} release`);
  expect(pack && programs(pack)).toContain('sha256sum -- *.tgz *.json > SHA256SUMS');
  expect(page && programs(page)).toMatch(/gh release create .*\\\n.* \.\/\*\.tgz \.\/\*\.json SHA256SUMS/);
});

/** The script over a tree that is ready for 1.2.3, but for what the test says. */
function tellNotes(tag: string, other: Readonly<Record<string, string>> = {}) {
  const tree = mkdtempSync(join(tmpdir(), 'modelgate-tag-'));
  onTestFinished(() => rmSync(tree, { recursive: true }));
  for (const name of ['.ci', 'client/sdk', 'docs']) mkdirSync(join(tree, name), { recursive: true });
  cpSync(join(root, '.ci/release-notes'), join(tree, '.ci/release-notes'));
  const manifest = '{\n  "name": "any",\n  "version": "1.2.3",\n  "private": true\n}\n';
  const changelog =
    '# Changelog\n\n## 1.2.30 (unreleased)\n\n- Later.\n\n## 1.2.3\n\nThe third.\n\n- **New.** Much.\n\n## 1.2.2\n\n- Before.\n';
  const texts = {
    'package.json': manifest,
    'client/sdk/package.json': manifest,
    'CHANGELOG.md': changelog,
    'docs/api-changelog.md': '## 1.2.3\n',
    ...other,
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(tree, name), text);
  const { status, stdout, stderr } = spawnSync(join(tree, '.ci/release-notes'), [tag], { cwd: tmpdir(), encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('F51: a tag', () => {
  test('prints exactly the changelog section of its version', () => {
    expect(tellNotes('v1.2.3')).toEqual({ status: 0, stdout: 'The third.\n\n- **New.** Much.\n', stderr: '' });
  });

  test.each([
    ['1.2.3', {}, 'is no tag of a version'],
    ['v1.2', {}, 'is no tag of a version'],
    ['v1.2.3-rc.1', {}, 'is no tag of a version'],
    ['v1.2.2', {}, 'package.json has version 1.2.3'],
    ['v1.2.3', { 'client/sdk/package.json': '{\n  "version": "1.2.2",\n  "x": 0\n}\n' }, 'client/sdk/package.json has version 1.2.2'],
    ['v1.2.3', { 'package.json': '{}\n' }, 'package.json has version without a number'],
    ['v1.2.3', { 'CHANGELOG.md': '## 1.2.3 (unreleased)\n\n- Much.\n' }, "no chapter '## 1.2.3'"],
    ['v1.2.3', { 'CHANGELOG.md': '## 1.2.3\n\n\n## 1.2.2\n\n- Before.\n' }, 'the chapter is empty'],
    ['v1.2.3', { 'docs/api-changelog.md': '## Unreleased\n\n## 1.2.2\n' }, "docs/api-changelog.md has no chapter '## 1.2.3'"],
  ])('rejects %s over %j', (tag, other, reason) => {
    const { status, stdout, stderr } = tellNotes(tag, other);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(reason);
  });

  test('fits this repository: both packages have one version, and the changelog has a section for it', () => {
    const [gateway, client] = ['package.json', 'client/sdk/package.json']
      .map((name) => readFileSync(join(root, name), 'utf8'))
      .map((text) => JSON.parse(text));
    expect(client.version).toBe(gateway.version);
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toMatch(
      new RegExp(`^## ${gateway.version.replaceAll('.', '\\.')}( \\(unreleased\\))?$`, 'm'),
    );
    const found = spawnSync(join(root, '.ci/release-notes'), [`v${gateway.version}.0`], { encoding: 'utf8' });
    expect(found.stderr).toContain('is no tag of a version');
  });
});
