/** Everything that the documentation tells a reader to type: it is run, and what it shows is what happens. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../contract/index.ts';
import { writeBanner } from '../../server/commands/banner.ts';
import { readVersion } from '../../server/commands/version.ts';
import { loadConfig } from '../../server/config/config.ts';
import { modelgate } from '../harness/command-line.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { leftOut, pythonMissing } from '../harness/tools.ts';
import { openWorkshop, type Workshop } from './samples/sample-run.ts';
import { blocksOf, continuedBlocksOf, linksOf, pages, readPage, referenceSamples, root, type Sample } from './samples/samples.ts';

/** They install or start the very thing under test: the first is done before any test, the second by the tests of `serve`. */
const notRun = ['npm ci && npm start', 'npm ci && npm test'];
const runnable = ['bash', 'js', 'ts', 'python', 'yaml'];
const clientPage = 'client/README.md';
/** Made from the contract, its examples one to a line and its order of events drawn, and tested there. */
const generated = ['docs/errors.md', 'docs/response-events.md'];
/** With packages that have to be packed first: the lane `packages` runs them. */
const withPackages = ['docs/guides/contract-package.md', 'docs/guides/testing-with-a-gateway.md'];
/** With files of other gateways: test/unit/config/import/guide.test.ts runs it. */
const withFiles = 'docs/guides/from-litellm-and-new-api.md';
const elsewhere = [...generated, ...withPackages, withFiles, clientPage];
const guides = pages.filter((page) => !elsewhere.includes(page));
const blocks = guides.flatMap(blocksOf);
const samples = [...blocks, ...continuedBlocksOf(clientPage), ...referenceSamples()].filter(
  ({ language, code }) => runnable.includes(language) && !notRun.includes(code),
);

let gateway: TestGateway;
let workshop: Workshop;
beforeAll(async () => {
  gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
  workshop = await openWorkshop(gateway);
});
afterAll(async () => {
  await workshop.close();
  await gateway.close();
});

const missingFor = ({ language }: Sample): string | null => (language === 'python' ? pythonMissing : null);
const named = samples.map((sample) => [`${sample.place} runs${leftOut(missingFor(sample))}`, sample] as const);
/** Some of the first work on one data folder, as on the pages: what one makes another one lists. The others are checked in this process. */
const isInOrder = ([, { language }]: (typeof named)[number]): boolean => language === 'bash' || language === 'yaml';

test.for(named.filter(isInOrder))('the sample at %s', ([, sample], { skip }) => tryOut(sample, skip));
test.for(named.filter((one) => !isInOrder(one)))('the sample at %s', { concurrent: true }, ([, sample], { skip }) => tryOut(sample, skip));

async function tryOut(sample: Sample, skip: () => void): Promise<void> {
  if (missingFor(sample) !== null) return skip();
  const output = await workshop.run(sample);
  // An answer that is an error, or an error inside a stream, is only right where the sample asks for one.
  expect(/"error": ?\{/.test(output)).toBe(sample.code.includes('simulate: '));
}

test('every block is run, checked by its format, or shows printed output', () => {
  const rest = blocks.filter(({ language, code }) => !runnable.includes(language) || notRun.includes(code));
  // What PgBouncer and PostgreSQL are told is tried in pgbouncer.test.ts, and the files of proxies in proxies.test.ts.
  const languages = ['bash', 'caddyfile', 'haproxy', 'ini', 'json', 'nginx', 'sql', 'text', 'toml'];
  expect([...new Set(rest.map(({ language }) => language))].sort()).toEqual(languages);
  expect(samples.length).toBeGreaterThan(50);
});

test.each(blocks.filter(({ language }) => language === 'json'))('the JSON at $place is JSON', ({ code }) => {
  expect(JSON.parse(code)).toBeTypeOf('object');
});

test.each(blocks.filter(({ language }) => language === 'toml'))('the provider at $place has the settings that Codex needs', ({ code }) => {
  const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  for (const line of lines) expect(line).toMatch(/^(\[[\w.]+\]|\w+ = ("[^"]*"|\d+|true|false))$/);
  const value = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(code)?.[1];
  // A guide may show single lines to add to the provider.
  if (value('model_provider') === undefined) {
    expect(code).toMatch(/^model_catalog_url = ".*\/v1\/models"$/m);
    return;
  }
  expect(code).toContain(`[model_providers.${value('model_provider')}]`);
  expect(value('base_url')).toMatch(/\/v1$/);
  expect(value('wire_api')).toBe('responses');
  expect(value('env_key')).toBe('MODELGATE_API_KEY');
});

describe('what the pages show', () => {
  const transcripts = blocksOf('docs/guides/streaming.md').flatMap((block, index, all) => {
    const asked = all[index - 1];
    return block.language === 'text' && asked ? [{ place: block.place, shown: block.code, asked }] : [];
  });

  test.each(transcripts)('the transcript at $place is what its sample prints', async ({ shown, asked }) => {
    expect(outlineOf(shown)).toEqual(outlineOf(await workshop.run(asked)));
  });

  test('the first start prints what the README says', () => {
    const [shown] = blocksOf('README.md').filter(({ language }) => language === 'text');
    const config = loadConfig({}, {});
    const facts = {
      version: readVersion(),
      config,
      folder: process.cwd(),
      origin: 'http://127.0.0.1:8080',
      adminOrigin: 'http://127.0.0.1:8081',
      firstKey: 'mg-…',
      setUp: { console: '…', portal: '…' },
      emphasize: (text: string) => text,
    };
    expect(writeBanner(facts).replace(config.data, './data')).toContain(`${shown?.code}\n`);
  });

  test('the environment table of the README has the variables that serve --help names', async () => {
    const { stdout: help } = await modelgate(['serve', '--help']);
    const environment = help.slice(help.indexOf('Environment'), help.indexOf('SIGTERM'));
    const names = [...environment.matchAll(/^ {2}([A-Z_]+)(?:, ([A-Z_]+))?/gm)].flatMap(([, one, two]) => [one, two]).filter(Boolean);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(readPage('README.md')).toContain(`\`${name}\``);
  });

  test('the log line in the guide for operators has the fields of a real one', async () => {
    const [shown] = blocksOf('docs/guides/operating.md').filter(({ language }) => language === 'json');
    const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }], stream: true };
    const answer = await gateway.call('/chat/completions', { json: body });
    await answer.text();
    await expect.poll(() => gateway.lines.find(({ id }) => id === answer.headers.get('x-request-id'))).toBeDefined();
    const line = gateway.lines.find(({ id }) => id === answer.headers.get('x-request-id')) ?? {};
    expect(Object.keys(JSON.parse(shown?.code ?? ''))).toEqual(Object.keys(line));
  });

  test.each(pages)('every link of %s leads to a file', (page) => {
    expect(linksOf(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** The events of a stream by name, or by what is in their data; pieces of text that follow each other count once. */
function outlineOf(transcript: string): string[] {
  const frames = transcript.split('\n\n').filter((frame) => frame.includes('data:'));
  return frames.map(nameOf).filter((name, index, all) => name !== all[index - 1]);
}

function nameOf(frame: string): string {
  const name = /^event: (.+)$/m.exec(frame)?.[1];
  if (name !== undefined) return name;
  if (frame.includes('[DONE]')) return '[DONE]';
  if (frame.includes('"finish_reason":"')) return 'finish';
  return frame.includes('"role"') ? 'role' : 'text';
}

test('each operation that streams has a sample of its stream in every language', () => {
  const streaming = Object.entries(contract).flatMap(([name, { metadata }]) => ('sse' in metadata ? [name] : []));
  const places = new Set(referenceSamples().map(({ place }) => place));
  const files = streaming.flatMap((name) => {
    const stem = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return ['client/FILE.mjs', 'curl/FILE.sh', 'javascript/FILE.mjs', 'python/FILE.py'].map((file) =>
      file.replace('FILE', `${stem}-stream`),
    );
  });
  expect(streaming).toHaveLength(4);
  expect(files.filter((file) => !places.has(`docs/samples/${file}`))).toEqual([]);
});

test('a sample that should save a picture and does not is found', async () => {
  const wrong: Sample = { place: 'made up', language: 'js', code: "const event = { b64_json: '' };\nevent.b64_json.at(0);" };
  await expect(workshop.run(wrong)).rejects.toThrow('no picture');
});

test('a sample that fails is found', async () => {
  const faulty: Sample = { place: 'made up', language: 'yaml', code: 'models: banana' };
  await expect(workshop.run(faulty)).rejects.toThrow('modelgate.yaml:1:1: models must be a list');
  const wrong: Sample = { place: 'made up', language: 'js', code: "import { nothing } from '@modelgate/client';\nnothing();" };
  await expect(workshop.run(wrong)).rejects.toThrow('nothing');
});
