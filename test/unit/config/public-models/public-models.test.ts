/** The catalog of public models: its file, what is suggested from it, and where a configuration differs from it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../../server/config/config.ts';
import { findModelDifferences } from '../../../../server/config/model-differences.ts';
import { findProvider, findPublicModel, type PublicModels, readPublicModels } from '../../../../server/config/public-models.ts';
import { Prices } from '../../../../server/config/schema-models.ts';
import { findSimilarNames, formatSuggestions, suggestAll, suggestModel } from '../../../../server/config/suggest-model.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const long = { input: '5', cachedInput: '0.5', output: '22.5' };

/** Two providers and a retired model, with figures that are nobody's. */
const catalog: PublicModels = {
  source: 'a list',
  licence: 'MIT',
  date: '2026-07-02',
  providers: {
    openai: {
      hosts: ['api.openai.com'],
      models: {
        first: {
          kind: 'text',
          prices: { input: '2.5', cachedInput: '0.25', output: '15', longContext: { 272000: long } },
          contextWindow: 200_000,
          maxOutputTokens: 64_000,
          abilities: ['tools'],
        },
        old: { kind: 'text', prices: { input: '1', output: '2' }, isRetired: true },
        picture: { kind: 'image' },
      },
    },
    'amazon-bedrock': { hosts: [], models: { 'amazon.nova': { kind: 'text', prices: { input: '0.8', output: '3.2' } } } },
  },
};

function configOf(models: readonly object[]) {
  const file = join(temporaryFolder(), 'modelgate.yaml');
  const upstreams = {
    openai: { kind: 'openai', apiKey: 'k' },
    nova: { kind: 'converse', aws: { region: 'us-east-1' } },
    other: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' },
    demo: { kind: 'simulator' },
  };
  writeFileSync(file, JSON.stringify({ billing: 'off', upstreams, models }));
  return loadConfig({ file }, {});
}
const differencesOf = (...models: readonly object[]) => [...findModelDifferences(configOf(models), catalog)];
const first = { id: 'm', kind: 'text', upstream: 'openai', upstreamModel: 'first' };

describe('the file', () => {
  const { providers, source, licence, date } = readPublicModels();
  const all = Object.entries(providers).flatMap(([provider, { models }]) =>
    Object.entries(models).map(([name, model]) => ({ provider, name, ...model })),
  );

  test('says whose list it is, and of which day', () => {
    expect({ source, licence, date }).toEqual({
      source: expect.stringContaining('models.dev'),
      licence: expect.stringContaining('MIT'),
      date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    });
  });

  test('lists prices that the configuration accepts, and bounds above zero', () => {
    expect(all.length).toBeGreaterThan(700);
    const wrong = all.filter(
      ({ prices, contextWindow = 1, maxOutputTokens = 1 }) =>
        (prices !== undefined && !Prices.safeParse(prices).success) || contextWindow < 1 || maxOutputTokens < 1,
    );
    expect(wrong).toEqual([]);
  });

  test("lists each standard model with its standard price, except for Codex's own", () => {
    const config = loadConfig({}, { OPENAI_API_KEY: 'k' });
    expect([...findModelDifferences(config, readPublicModels())]).toEqual([]);
    const texts = config.models.filter(({ kind }) => kind === 'text').map(({ id }) => id);
    expect(texts.filter((id) => findPublicModel('openai', id, readPublicModels()) === undefined)).toEqual(['codex-auto-review']);
  });

  test('knows models of each kind of upstream', () => {
    const config = configOf([first]);
    const known = Object.values(config.upstreams).map((upstream) => findProvider(upstream, readPublicModels()));
    expect(known).toEqual(['openai', 'amazon-bedrock', undefined, undefined]);
    for (const provider of ['openai', 'anthropic', 'google', 'azure', 'amazon-bedrock', 'google-vertex', 'google-vertex-anthropic', 'groq'])
      expect(all.some((model) => model.provider === provider && model.prices !== undefined)).toBe(true);
  });
});

test.each([
  ['azure', { kind: 'openai', azure: { resource: 'r' }, apiKey: 'k' }],
  ['azure', { kind: 'anthropic', azure: { resource: 'r' }, apiKey: 'k' }],
  ['google-vertex', { kind: 'gemini', google: { project: 'project-1', location: 'global' } }],
  ['google-vertex-anthropic', { kind: 'anthropic', google: { project: 'project-1', location: 'global' } }],
  ['anthropic', { kind: 'anthropic', apiKey: 'k' }],
  ['groq', { kind: 'openai-compatible', baseUrl: 'https://api.groq.com/openai/v1' }],
])('finds the provider %s behind %j', (provider, upstream) => {
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, JSON.stringify({ billing: 'off', upstreams: { it: upstream }, models: [{ id: 'claude-x', kind: 'text' }] }));
  const { it } = loadConfig({ file }, {}).upstreams;
  expect(it && findProvider(it, readPublicModels())).toBe(provider);
});

test('finds regional names of Bedrock as the model', () => {
  expect(findPublicModel('amazon-bedrock', 'eu.amazon.nova', catalog)).toBe(catalog.providers['amazon-bedrock']?.models['amazon.nova']);
  for (const name of ['toString', '__proto__', 'us.toString', 'nova'])
    expect(findPublicModel('amazon-bedrock', name, catalog)).toBeUndefined();
});

describe('a comparison with the configuration', () => {
  test('reports nothing for listed values, an unknown provider, and free models', () => {
    const listed = {
      prices: { input: '2.50', cachedInput: '0.25', output: '15', longContext: { 272000: long } },
      contextWindow: 200_000,
      maxOutputTokens: 1_000,
    };
    expect(differencesOf({ ...first, ...listed })).toEqual([]);
    expect(differencesOf({ ...first, upstream: 'other', prices: { input: '9', output: '9' } })).toEqual([]);
    expect(differencesOf({ ...first, upstream: 'demo', prices: { input: '9', output: '9' } })).toEqual([]);
    expect(differencesOf({ ...first, prices: 'free' }, { ...first, id: 'n', upstreamModel: 'unknown' })).toEqual([]);
  });

  test('reports prices, larger bounds, and retirement, one sentence per model', () => {
    const own = { prices: { input: '1.25', cachedInput: '0.3', output: '15' }, contextWindow: 200_001, maxOutputTokens: 64_001 };
    expect(differencesOf({ ...first, ...own }, { ...first, id: 'n', upstreamModel: 'old' })).toEqual([
      "m at openai: prices.input is 1.25, but the list price is 2.5; prices.cachedInput is 0.3, but the list price is 0.25; prices.longContext is missing, but the list prices are higher above 272000 input tokens; maxOutputTokens is 64001, but the model's maximum is 64000; contextWindow is 200001, but the model's maximum is 200000.",
      'n at openai: its provider has retired it or announced its retirement.',
    ]);
  });

  test("compares the provider's cost where it's configured, rather than the price for callers", () => {
    const cost = { input: '2.5', output: '14' };
    const candidates = [{ upstream: 'openai', upstreamModel: 'first', cost }];
    expect(differencesOf({ id: 'm', kind: 'text', prices: { input: '9', output: '9' }, candidates })).toEqual([
      'm at openai: cost.output is 14, but the list price is 15; cost.longContext is missing, but the list prices are higher above 272000 input tokens.',
    ]);
  });
});

describe('a suggestion', () => {
  const configured = () => Object.values(configOf([first]).upstreams);

  test('names the upstream that serves the model, and pastes into the file', () => {
    const found = ['first', 'us.amazon.nova', 'picture'].flatMap((name) => suggestModel(name, { upstreams: configured() }, catalog) ?? []);
    const text = formatSuggestions(found, catalog);
    expect(text).toMatch(/^# List prices and limits as of 2026-07-02, from a list\./);
    expect(text).toContain('# Supports tools.\n');
    expect(text).toContain('# No price per token is listed. Set its prices.\n');
    const { models } = parse(text);
    expect(models).toEqual([
      {
        id: 'first',
        kind: 'text',
        upstream: 'openai',
        contextWindow: 200_000,
        maxOutputTokens: 64_000,
        capabilities: { imageInput: false, reasoningEffort: false },
        prices: { input: '2.5', cachedInput: '0.25', output: '15', longContext: { 272000: long } },
      },
      { id: 'us.amazon.nova', kind: 'text', upstream: 'nova', prices: { input: '0.8', output: '3.2' } },
      { id: 'picture', kind: 'image', upstream: 'openai' },
    ]);
    expect(differencesOf(...models)).toEqual([]);
  });

  test("omits the upstream if none serves the model, and the model if the provider doesn't list it", () => {
    expect(suggestModel('first', { upstreams: [] }, catalog)).toMatchObject({ provider: 'openai', model: { kind: 'text' } });
    expect(suggestModel('first', { upstreams: configured(), provider: 'amazon-bedrock' }, catalog)).toBeUndefined();
    expect(suggestModel('third', { upstreams: configured() }, catalog)).toBeUndefined();
  });

  test('skips retired models of a whole upstream', () => {
    expect(suggestAll({ upstreams: configured().slice(0, 1) }, catalog).map(({ name }) => name)).toEqual(['first', 'picture']);
    expect(suggestAll({ upstreams: [], provider: 'amazon-bedrock' }, catalog).map(({ name }) => name)).toEqual(['amazon.nova']);
    expect(findSimilarNames('IC', catalog)).toEqual(['picture']);
  });
});
