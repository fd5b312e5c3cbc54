/** Models and upstreams that an operator changes over the admin API: only their lines change, and what the gateway would reject isn't written. */
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigCheck, ConfigText } from '../../contract/admin/configuration.ts';
import { refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';

const key = `\${FIRST_KEY}`;
const start = `# The gateway of the example company.
upstreams:
  # Our first contract
  first:
    kind: openai
    baseUrl: https://first.example/v1
    apiKey: ${key}   # from the vault
  second: { kind: openai-compatible, baseUrl: 'https://second.example/v1', apiKey: 'sk-plain' }

models:
  - id: large   # the default
    kind: text
    upstream: first
    prices: { input: '2', output: '8' }

  - id: acme/small
    kind: text
    upstream: second
    prices: free

limits: { perKey: { requestsPerMinute: 60 } }
`;

let admin: TestAdmin;
beforeEach(async () => {
  admin = await startAdmin({ upstreams: { first: { kind: 'openai', apiKey: key } } }, { isReloading: true, env: { FIRST_KEY: 'sk-env' } });
  writeFileSync(admin.file, start);
  expect((await admin.call('POST', '/config/reload')).status).toBe(200);
});
afterEach(() => admin.close());

const show = async (query: Record<string, string>) =>
  ConfigText.parse((await admin.call('GET', `/config/text?${new URLSearchParams(query)}`)).body);
const edit = (body: object) => admin.call('PUT', '/config/text', body);
const readFile = () => readFileSync(admin.file, 'utf8');

test('shows an entry as written, with its comments and without secrets', async () => {
  expect(await show({ section: 'upstreams', name: 'first' })).toMatchObject({
    exists: true,
    text: `kind: openai\nbaseUrl: https://first.example/v1\napiKey: ${key}   # from the vault`,
    refusal: null,
  });
  expect(await show({ section: 'models', name: 'large' })).toMatchObject({
    text: "id: large   # the default\nkind: text\nupstream: first\nprices: { input: '2', output: '8' }",
  });
  const { text } = await show({ section: 'upstreams', name: 'second' });
  expect(text).toBe("{ kind: openai-compatible, baseUrl: 'https://second.example/v1', apiKey: '********' }");
});

test('suggests the entry of a known model, and of an upstream', async () => {
  const model = await show({ section: 'models', name: 'gpt-5.4', upstream: 'first' });
  expect(model).toMatchObject({ exists: false, text: expect.stringContaining('upstream: first') });
  expect(model.text).toContain('prices:');
  const upstream = await show({ section: 'upstreams', name: 'groq' });
  expect(upstream.text).toBe(`kind: openai-compatible\nbaseUrl: https://api.groq.com/openai/v1\napiKey: \${GROQ_API_KEY}`);
});

const rows: readonly (readonly [string, object, (file: string) => string])[] = [
  [
    'changes a model',
    { section: 'models', name: 'large', text: "id: large   # the default\nkind: text\nprices: { input: '3', output: '9' }" },
    (file) => file.replace("    upstream: first\n    prices: { input: '2', output: '8' }", "    prices: { input: '3', output: '9' }"),
  ],
  [
    'adds a model after the last one',
    { section: 'models', name: 'new', text: 'id: new\nkind: text\nprices: free\n' },
    (file) => file.replace('    prices: free\n', '    prices: free\n  - id: new\n    kind: text\n    prices: free\n'),
  ],
  [
    'removes a model',
    { section: 'models', name: 'acme/small', text: null },
    (file) => file.replace(/ {2}- id: acme\/small\n( {4}.*\n)+/, ''),
  ],
  [
    'adds an upstream after the last one',
    { section: 'upstreams', name: 'third', text: `kind: openai-compatible\nbaseUrl: https://third.example/v1\napiKey: ${key}` },
    (file) =>
      file.replace(
        "'sk-plain' }\n",
        `'sk-plain' }\n  third:\n    kind: openai-compatible\n    baseUrl: https://third.example/v1\n    apiKey: ${key}\n`,
      ),
  ],
  [
    'keeps a hidden secret',
    { section: 'upstreams', name: 'second', text: "kind: openai-compatible\nbaseUrl: https://other.example/v1\napiKey: '********'" },
    (file) =>
      file.replace(
        "second: { kind: openai-compatible, baseUrl: 'https://second.example/v1', apiKey: 'sk-plain' }",
        'second:\n    kind: openai-compatible\n    baseUrl: https://other.example/v1\n    apiKey: "sk-plain"',
      ),
  ],
];

test.each(rows)('writes only the lines of the entry, and reloads the file: %s', async (_, body, expected) => {
  const mode = 0o640;
  chmodSync(admin.file, mode);
  const preview = await edit({ ...body, dry_run: true });
  expect(readFile()).toBe(start);
  const { status, body: answer } = await edit(body);
  expect(status).toBe(200);
  expect(answer).toEqual(preview.body);
  const { added, changed, removed } = ConfigCheck.parse(answer);
  expect(added.length + changed.length + removed.length).toBeGreaterThan(0);
  expect(readFile()).toBe(expected(start));
  expect(readFile()).not.toBe(start);
  expect(statSync(admin.file).mode & 0o777).toBe(mode);
  const after = ConfigCheck.parse((await admin.call('POST', '/config/check')).body);
  expect([...after.added, ...after.changed, ...after.removed]).toEqual([]);
  const { data } = (await admin.call('GET', '/audit')).body as unknown as { readonly data: readonly { action: string; details: object }[] };
  expect(data.find(({ action }) => action === 'config.edit')?.details).toMatchObject({
    section: expect.any(String),
    removed: expect.any(Boolean),
  });
});

describe('an edit that is rejected', () => {
  afterEach(() => expect(readFile()).toBe(start));
  const model = { section: 'models', name: 'new' };

  test.each([
    ['invalid YAML', { ...model, text: 'id: [' }, 'models.new'],
    ['another ID', { ...model, text: 'id: old\nkind: text\nprices: free' }, 'models.new'],
    ['an unknown key', { ...model, text: 'id: new\nkind: text\nprices: free\npricse: free' }, 'models[2].pricse'],
    ['an unknown upstream', { ...model, text: 'id: new\nkind: text\nprices: free\nupstream: none' }, 'models[2].upstream'],
    ['a secret in plain text', { section: 'upstreams', name: 'third', text: 'kind: openai\napiKey: sk-1' }, 'upstreams.third'],
    [
      'a file that no entry names',
      { section: 'upstreams', name: 'third', text: `kind: openai\napiKey: \${file:/etc/passwd}` },
      'upstreams.third',
    ],
    [
      'a reference to a file in escaped characters',
      { section: 'upstreams', name: 'third', text: 'kind: openai\napiKey: "\\u0024{file:/etc/passwd}"' },
      'upstreams.third',
    ],
    [
      'a secret with an escaped reference',
      { section: 'upstreams', name: 'third', text: `kind: openai\napiKey: sk-1$${key}` },
      'upstreams.third',
    ],
    [
      'a hidden secret that the file does not have',
      { section: 'upstreams', name: 'third', text: "kind: openai\napiKey: '********'" },
      'upstreams.third',
    ],
    ['a removal of an upstream that is in use', { section: 'upstreams', name: 'first', text: null }, 'models[0].upstream'],
  ])('returns 400 with the problem for %s', async (_, body, param) => {
    const problems = ConfigCheck.parse((await edit({ ...body, dry_run: true })).body).problems;
    expect(problems.map(({ key: name }) => name)).toContain(param);
    const answer = await edit(body);
    expect({ ...refusalOf(answer) }).toMatchObject({ status: 400, code: 'invalid_value', param });
    expect(JSON.stringify(answer.body)).not.toContain('sk-1');
  });

  test('returns 409 when the file has changed since it was shown', async () => {
    const { digest } = await show({ section: 'models', name: 'large' });
    const changed = start.replace('60', '61');
    writeFileSync(admin.file, changed);
    const answer = await edit({ ...model, text: 'id: new\nkind: text\nprices: free', digest });
    expect({ status: answer.status, code: refusalOf(answer).code }).toEqual({ status: 409, code: 'config_changed' });
    expect(readFile()).toBe(changed);
    writeFileSync(admin.file, start);
  });

  test("returns 409 when the file is gone, and shows why it can't be edited", async () => {
    rmSync(admin.file);
    expect(await show({ section: 'models', name: 'large' })).toMatchObject({
      exists: false,
      digest: null,
      refusal: expect.stringContaining('ENOENT'),
    });
    expect(refusalOf(await edit({ ...model, text: 'id: new\nkind: text\nprices: free' }))).toMatchObject({ status: 409, code: 'conflict' });
    writeFileSync(admin.file, start);
  });
});
