/** What the documentation's pages show: configurations, formats, the first start, and one sample for each operation. The lane `samples` runs all the others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '../../contract/index.ts';
import { loadConfig } from '../../server/config/config.ts';
import { writeBanner } from '../../server/operate/commands/banner.ts';
import { readVersion } from '../../server/operate/commands/version.ts';
import { modelgate } from '../harness/command-line.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { openWorkshop, type Workshop } from '../samples/sample-run.ts';
import { blocks, blocksOf, isRunnable, readPage, referenceSamples, runnableSamples } from '../samples/samples.ts';

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

const shortest = ['create-chat-completion', 'create-response', 'generate-images', 'edit-images', 'list-models'];
const quick = runnableSamples().filter(
  ({ place, language }) => language === 'yaml' || shortest.some((name) => place === `docs/samples/javascript/${name}.mjs`),
);
test.each(quick)('runs the sample at $place', async (sample) => {
  expect(await workshop.run(sample)).not.toMatch(/"error": ?\{/);
});

test('runs every block, checks it by its format, or shows it as printed output', () => {
  const rest = blocks.filter((block) => !isRunnable(block));
  // What PgBouncer and PostgreSQL are told is tried in pgbouncer.test.ts, and the files of proxies in proxies.test.ts. What is in Go, and the tests of the CI guide, run in scripted-gateway.test.ts and testing-in-ci.test.ts.
  const languages = ['bash', 'caddyfile', 'go', 'haproxy', 'ini', 'js', 'json', 'nginx', 'python', 'sql', 'text', 'toml'];
  expect([...new Set(rest.map(({ language }) => language))].sort()).toEqual(languages);
  expect(runnableSamples().length).toBeGreaterThan(50);
});

test.each(blocks.filter(({ language }) => language === 'json'))('parses the JSON at $place', ({ code }) => {
  expect(JSON.parse(code)).toBeTypeOf('object');
});

test.each(blocks.filter(({ language }) => language === 'toml'))(
  'names the settings that Codex needs in the provider at $place',
  ({ code }) => {
    const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
    for (const line of lines) expect(line).toMatch(/^(\[[\w.]+\]|\w+ = ("[^"]*"|\d+|true|false|\{ "[\w-]+" = "[^"]*" \}))$/);
    const value = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(code)?.[1];
    // A guide may show single lines to add to the provider.
    if (value('model_provider') === undefined) {
      expect(code).toMatch(/^(model_catalog_url = ".*\/v1\/models"|http_headers = \{ "x-openai-actor-authorization" = "local" \})$/m);
      return;
    }
    expect(code).toContain(`[model_providers.${value('model_provider')}]`);
    expect(value('base_url')).toMatch(/\/v1$/);
    expect(value('wire_api')).toBe('responses');
    expect(value('env_key')).toBe('MODELGATE_API_KEY');
  },
);

test('prints what the README shows at the first start', () => {
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

test('lists every environment variable of serve --help in the guide', async () => {
  const { stdout: help } = await modelgate(['serve', '--help']);
  const environment = help.slice(help.indexOf('Environment'), help.indexOf('SIGTERM'));
  const names = [...environment.matchAll(/^ {2}([A-Z_]+)(?:, ([A-Z_]+))?/gm)].flatMap(([, one, two]) => [one, two]).filter(Boolean);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(readPage('docs/guides/operating.md')).toContain(`\`${name}\``);
});

test("shows a sample of each operation's stream in every language", () => {
  const streaming = Object.entries(contract).flatMap(([name, { metadata }]) => ('sse' in metadata ? [name] : []));
  const places = new Set(referenceSamples().map(({ place }) => place));
  const files = streaming.flatMap((name) => {
    const stem = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return ['client/FILE.mjs', 'curl/FILE.sh', 'javascript/FILE.mjs', 'python/FILE.py'].map((file) =>
      file.replace('FILE', `${stem}-stream`),
    );
  });
  expect(streaming).toHaveLength(5);
  expect(files.filter((file) => !places.has(`docs/samples/${file}`))).toEqual([]);
});
