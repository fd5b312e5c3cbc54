/** LiteLLM's files as modelgate.yaml: loaded by the real loader, with exact prices, without secrets, and with a line for what has no counterpart. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../../server/config/config.ts';
import { formatDecimal, parseDecimal, toPerMillion } from '../../../../server/config/import/decimal.ts';
import { formatImported, importText } from '../../../../server/config/import/importers.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const env = new Proxy({}, { get: (_, name) => (typeof name === 'string' && name.endsWith('_API_KEY') ? `of-${name}` : undefined) });

function imported(file: object) {
  const found = importText('litellm', stringify(file));
  const yaml = formatImported(found, 'litellm');
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), yaml);
  const config = loadConfig({ file: join(folder, 'modelgate.yaml') }, env);
  return { config, yaml, remarks: found.remarks.map(({ where, message }) => `${where}: ${message}`) };
}

const deployment = (model_name: string, litellm_params: object, model_info?: object) => ({
  model_name,
  litellm_params,
  ...(model_info && { model_info }),
});

describe('a file of LiteLLM', () => {
  test('becomes upstreams, one for each vendor and key, and models with candidates', () => {
    const { config, remarks } = imported({
      model_list: [
        deployment('gpt', { model: 'openai/gpt-5.4', api_key: 'os.environ/FIRST_API_KEY', weight: 3 }),
        deployment('gpt', { model: 'gpt-5.4', api_key: 'os.environ/SECOND_API_KEY' }),
        deployment('sonnet', { model: 'anthropic/claude-sonnet-4-5', order: 2 }),
        deployment('flash', { model: 'gemini/gemini-2.5-flash' }),
        deployment('local', { model: 'ollama/llama3', api_base: 'http://127.0.0.1:11434' }),
        deployment('own', { model: 'hosted_vllm/qwen', api_base: 'http://127.0.0.1:8000/v1/' }),
      ],
    });
    expect(Object.entries(config.upstreams).map(([name, { kind }]) => [name, kind])).toEqual([
      ['openai', 'openai'],
      ['openai-2', 'openai'],
      ['anthropic', 'anthropic'],
      ['gemini', 'gemini'],
      ['ollama', 'openai-compatible'],
      ['hosted-vllm', 'openai-compatible'],
    ]);
    const [gpt, sonnet] = config.models;
    expect(gpt?.candidates).toMatchObject([
      { upstream: 'openai', upstreamModel: 'gpt-5.4', weight: 3 },
      { upstream: 'openai-2', upstreamModel: 'gpt-5.4' },
    ]);
    expect(sonnet).toMatchObject({
      id: 'sonnet',
      candidates: [{ upstream: 'anthropic', upstreamModel: 'claude-sonnet-4-5', priority: 2 }],
    });
    expect(remarks).toEqual([expect.stringMatching(/^billing: is 'off'.*gpt, sonnet, flash, local, own/)]);
  });

  test('keeps its costs as exact prices, and charges calls only if every model has one', () => {
    const costs = { input_cost_per_token: 2.5e-7, output_cost_per_token: '0.000002', cache_read_input_token_cost: 0.000000025 };
    const { config } = imported({ model_list: [deployment('gpt', { model: 'gpt-5.4', ...costs })] });
    expect(config.billing).not.toBe('off');
    expect(config.models[0]?.prices).toEqual({ input: '0.25', cachedInput: '0.025', output: '2' });
  });

  test('gets no price that the file does not say of every deployment alike', () => {
    const priced = { model: 'gpt-5.4', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
    for (const other of [
      { model: 'openai/gpt-5.4', api_key: 'os.environ/B_API_KEY' },
      { ...priced, output_cost_per_token: 3e-6 },
    ]) {
      const { config, remarks } = imported({ model_list: [deployment('gpt', priced), deployment('gpt', other)] });
      expect(config.models[0]?.prices).toBeUndefined();
      expect(config.billing).toBe('off');
      expect(remarks.join('\n')).toMatch(/^gpt: has /m);
    }
  });

  test('leaks no secret into the file or a remark', () => {
    const secrets = ['sk-live-plain-4711', 'sk-master-4711', 'postgres://user:pass4711@host/db'];
    const { yaml, remarks } = imported({
      model_list: [deployment('gpt', { model: 'gpt-5.4', api_key: secrets[0] })],
      general_settings: { master_key: secrets[1], database_url: secrets[2] },
    });
    for (const secret of secrets) expect(yaml + remarks.join('\n')).not.toContain(secret);
    expect(yaml).toContain(`\${OPENAI_API_KEY}`);
    expect(remarks.map((line) => line.split(':')[0]).toSorted()).toEqual([
      'billing',
      'general_settings.database_url',
      'general_settings.master_key',
      'model_list[0].litellm_params.api_key',
    ]);
  });

  test('gets a line for each thing without a counterpart', () => {
    const { config, remarks } = imported({
      model_list: [
        deployment('gpt', { model: 'gpt-5.4', temperature: 0.2 }),
        deployment('*', { model: '*' }),
        deployment('emb', { model: 'text-embedding-3-small' }, { mode: 'embedding' }),
        deployment('cloud', { model: 'bedrock/anthropic.claude' }),
        deployment('far', { model: 'unknownvendor/x' }),
        deployment('wrong', { model: 'openai/x', api_base: 'not an address' }),
      ],
      router_settings: { routing_strategy: 'least-busy', num_retries: 2, cooldown_time: 30, fallbacks: [{ gpt: ['nobody'] }] },
      litellm_settings: { drop_params: true },
      environment_variables: {},
    });
    expect(config.routing).toMatchObject({ maxAttempts: 3, breaker: { cooldownMs: 30_000 } });
    expect(remarks.map((line) => line.split(': ')[0]).toSorted()).toEqual([
      'billing',
      'environment_variables',
      'litellm_settings.drop_params',
      'model_list[0].litellm_params.temperature',
      'model_list[1]',
      'model_list[2]',
      'model_list[3]',
      'model_list[4]',
      'model_list[5].litellm_params.api_base',
      'router_settings.fallbacks',
      'router_settings.routing_strategy',
    ]);
  });

  test('keeps its fallbacks as candidates of a lower priority', () => {
    const { config } = imported({
      model_list: [deployment('gpt', { model: 'gpt-5.4' }), deployment('claude', { model: 'claude-sonnet-4-5' })],
      litellm_settings: { fallbacks: [{ gpt: ['claude'] }] },
    });
    expect(config.models[0]?.candidates).toMatchObject([
      { upstream: 'openai', priority: 1 },
      { upstream: 'anthropic', upstreamModel: 'claude-sonnet-4-5', priority: 2 },
    ]);
  });

  test.each([null, 5, 'text', [], { model_list: 'x' }, { model_list: [null, 5, {}] }])('gives remarks and no error for %j', (file) => {
    const { remarks, settings } = importText('litellm', JSON.stringify(file));
    expect(remarks.length).toBeGreaterThan(0);
    expect(settings.models).toEqual([]);
  });
});

test('converts a cost per token into one per million without rounding, whatever its form', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 12 }), (digits, places) => {
      const cost = parseDecimal(`${digits}e-${places}`);
      if (!cost) throw new Error('a number is not read');
      const written = formatDecimal(toPerMillion(cost));
      const [whole = '', part = ''] = (written ?? '').split('.');
      // Both in millionths of a dollar for a million tokens.
      expect(BigInt(whole + part.padEnd(6, '0'))).toBe((BigInt(digits) * 10n ** 12n) / 10n ** BigInt(places));
    }),
  );
});

test.each(['', 'x', '-1', '1e9999', null, {}, true])('rejects %j as a cost', (value) => {
  expect(parseDecimal(value)).toBeUndefined();
});

test('omits a cost that needs more than six places', () => {
  expect(formatDecimal({ digits: 1n, places: 7 })).toBeUndefined();
});
