/** The kinds of upstream, and the protocols that their models get. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Config, loadConfig } from '../../../server/config/config.ts';
import { ConfigError, type Problem } from '../../../server/config/config-error.ts';
import { temporaryFolder } from '../../harness/folder.ts';

function load(...lines: readonly string[]): Config {
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return loadConfig({ file }, { CLAUDE_KEY: 'sk-ant-1' });
}

function problemsOf(...lines: readonly string[]): readonly Problem[] {
  try {
    load(...lines);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

const protocolsOf = ({ models }: Config) => Object.fromEntries(models.map(({ id, protocols }) => [id, protocols]));

describe('an upstream with only its kind', () => {
  const places = [
    { kind: 'openai', baseUrl: 'https://api.openai.com/v1', protocols: ['chat', 'responses', 'images'] },
    { kind: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', protocols: ['anthropic'] },
    { kind: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta', protocols: ['gemini'] },
  ];
  test.each(places)('gets the base URL, the protocols and the time limits of $kind', ({ kind, ...expected }) => {
    const { place } = load(
      'upstreams:',
      `  place: { kind: ${kind}, apiKey: "\${CLAUDE_KEY}" }`,
      'models: [{ id: m, kind: text, prices: free }]',
    ).upstreams;
    expect(place).toMatchObject({ name: 'place', kind, apiKey: 'sk-ant-1', ...expected });
    expect(place).toMatchObject({ maxConcurrentRequests: 1024, timeouts: { connectMs: 10_000 }, headers: {} });
  });

  test.each(['anthropic', 'gemini', 'openai-compatible'])("needs models for %s, because the standard models are OpenAI's", (kind) => {
    const more = kind === 'openai-compatible' ? ', baseUrl: "http://127.0.0.1:11434/v1"' : '';
    expect(problemsOf('upstreams:', `  place: { kind: ${kind}${more} }`)).toEqual([
      expect.objectContaining({
        key: 'models',
        message: expect.stringContaining("'place'"),
        remedy: expect.stringContaining('--upstream place'),
      }),
    ]);
  });
});

test('accepts a compatible upstream with a base URL and no key: protocol chat, default quirks', () => {
  const { upstreams, models } = load(
    'upstreams:',
    '  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:11434/v1/" }',
    'models: [{ id: small, kind: text, prices: free }]',
  );
  const quirks = {
    maxTokensField: 'max_tokens',
    seedField: 'seed',
    developerRole: false,
    streamUsage: true,
    structuredOutput: 'schema',
    parallelToolCalls: true,
    strictTools: true,
    reasoningEffort: 'send',
    sendReasoningBack: false,
    hints: true,
    unsupported: [],
  };
  expect(upstreams.local).toMatchObject({ baseUrl: 'http://127.0.0.1:11434/v1', protocols: ['chat'], quirks });
  expect(upstreams.local).not.toHaveProperty('apiKey');
  expect(models.length).toBeGreaterThan(0);
  for (const model of models) expect(model).toMatchObject({ kind: 'text', protocols: ['chat'], quirks });
});

test("applies only the quirks of the model's upstream", () => {
  const { models } = load(
    'upstreams:',
    '  west: { kind: openai }',
    '  local: { kind: openai-compatible, baseUrl: "http://a.example/v1", quirks: { hints: false } }',
    'models:',
    '  - { id: big, kind: text, prices: free }',
    '  - { id: small, kind: text, upstream: local, prices: free }',
  );
  expect(models[0]).not.toHaveProperty('quirks');
  expect(models[1]).toMatchObject({ quirks: { hints: false } });
});

test('reads maxOutputTokens and contextWindow of a model from the file, or leaves them absent', () => {
  const { models } = load(
    'models:',
    '  - { id: a, kind: text, maxOutputTokens: 64000, contextWindow: 200000, prices: free }',
    '  - { id: b, kind: text, prices: free }',
  );
  expect(models[0]).toMatchObject({ maxOutputTokens: 64_000, contextWindow: 200_000 });
  for (const size of ['maxOutputTokens', 'contextWindow']) expect(models[1]).not.toHaveProperty(size);
});

describe('a model', () => {
  test('gets every protocol of its upstream that fits its kind', () => {
    const config = load(
      'upstreams:',
      '  west: { kind: openai }',
      '  local: { kind: openai, baseUrl: "http://a.example/v1", protocols: [chat] }',
      '  claude: { kind: anthropic }',
      '  google: { kind: gemini }',
      '  demo: { kind: simulator, protocols: [responses] }',
      'models:',
      '  - { id: text, kind: text, upstream: west, prices: free }',
      '  - { id: image, kind: image, upstream: west, prices: free }',
      '  - { id: narrow, kind: text, upstream: west, protocols: [responses], prices: free }',
      '  - { id: small, kind: text, upstream: local, prices: free }',
      '  - { id: sonnet, kind: text, upstream: claude, upstreamModel: claude-sonnet-4-6, prices: free }',
      '  - { id: flash, kind: text, upstream: google, prices: free }',
      '  - { id: shown, kind: text, upstream: demo, prices: free }',
    );
    expect(protocolsOf(config)).toEqual({
      text: ['chat', 'responses'],
      image: ['images'],
      narrow: ['responses'],
      small: ['chat'],
      sonnet: ['anthropic'],
      flash: ['gemini'],
      shown: ['responses'],
    });
    expect(config.models.find(({ id }) => id === 'sonnet')).toMatchObject({ upstreamModel: 'claude-sonnet-4-6', ownedBy: 'claude' });
  });
});
