/** Files of LiteLLM as people keep them, from public examples: each becomes a file that loads, and says of every line that it left out. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../server/config/config.ts';
import { formatImported, importText } from '../../../../server/config/import/importers.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures/litellm');
const env = new Proxy({}, { get: (_, name) => (typeof name === 'string' && name.endsWith('_API_KEY') ? `of-${name}` : undefined) });

function imported(name: string) {
  const found = importText('litellm', readFileSync(join(fixtures, name), 'utf8'));
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, formatImported(found, 'litellm'));
  const { upstreams, models, routing } = loadConfig({ file }, env);
  const served = models.map(({ id, candidates }) => [id, ...candidates.map((one) => `${one.upstream} ${one.upstreamModel}`)].join(', '));
  const kinds = Object.entries(upstreams).map(([upstream, { kind }]) => `${upstream} ${kind}`);
  return { kinds, served, routing, left: found.remarks.map(({ where }) => where) };
}

describe('a public LiteLLM configuration', () => {
  test('keeps several providers', () => {
    const { kinds, served, routing, left } = imported('aws-deployment.yaml');
    expect(kinds).toEqual(['openai openai', 'anthropic anthropic', 'openai-2 openai-compatible']);
    expect(served).toEqual([
      'gpt-4, openai gpt-4',
      'gpt-4-turbo, openai gpt-4-turbo-preview',
      'gpt-3.5-turbo, openai gpt-3.5-turbo',
      'claude-3-opus, anthropic claude-3-opus-20240229',
      'claude-3-sonnet, anthropic claude-3-sonnet-20240229',
      'fake-openai-endpoint, openai-2 fake',
    ]);
    expect(routing).toMatchObject({ maxAttempts: 3, breaker: { failures: 3, cooldownMs: 60_000 } });
    expect(left).toEqual([
      'router_settings.routing_strategy',
      'router_settings.timeout',
      'general_settings.master_key',
      'general_settings.database_url',
      'general_settings.store_model_in_db',
      'general_settings.proxy_batch_write_at',
      'litellm_settings.set_verbose',
      'litellm_settings.request_timeout',
      'litellm_settings.context_window_fallbacks',
      'billing',
    ]);
  });

  test('gets an upstream per Azure resource, and no API version', () => {
    const { kinds, served, left } = imported('azure.yaml');
    expect(kinds).toEqual(['azure openai', 'azure-2 openai']);
    expect(served).toEqual(['gpt-4-team1, azure chatgpt-v-2', 'gpt-4-team2, azure-2 gpt-4']);
    expect(left).toContain('model_list[0].litellm_params.api_version');
  });

  test('keeps models that stand in for each other', () => {
    const { kinds, served } = imported('free-sources.yaml');
    expect(kinds).toEqual(['siliconflow openai-compatible', 'zhipu openai-compatible']);
    expect(served[0]).toBe(
      'sf-deepseek-r1, siliconflow deepseek-ai/DeepSeek-R1-Distill-Qwen-7B, siliconflow Qwen/Qwen2.5-72B-Instruct, zhipu glm-4-flash, zhipu glm-4.7-flash',
    );
    expect(served).toHaveLength(4);
  });

  test("keeps two deployments of one model, and skips a model that isn't served", () => {
    const { kinds, served, left } = imported('telemetry.yaml');
    expect(kinds).toEqual(['openai openai-compatible', 'openai-2 openai-compatible']);
    expect(served).toEqual(['fake-openai-endpoint, openai fake, openai fake', 'llava-hf, openai-2 llava-hf/llava-v1.6-vicuna-7b-hf']);
    expect(left).toContain('model_list[2]');
    expect(left).toContain('guardrails');
  });

  test('skips patterns of names', () => {
    const { served, left } = imported('wildcards.yaml');
    expect(served).toEqual(['gpt-5-mini-end-user-test, openai gpt-5-mini']);
    for (const place of ['model_list[1]', 'model_list[2]', 'model_list[3]', 'model_list[4]', 'finetune_settings'])
      expect(left).toContain(place);
  });
});

describe('a deployment in Azure', () => {
  const written = (params: string) => {
    const { settings, remarks } = importText('litellm', `model_list: [{model_name: own, litellm_params: {${params}}}]`);
    return { upstreams: settings.upstreams, remarks: remarks.map(({ message }) => message) };
  };

  test.each([
    ['azure/o_series/mine, api_base: https://contoso.openai.azure.com', { kind: 'openai', azure: { resource: 'contoso' } }],
    [
      'azure/mine, api_base: https://contoso.cognitiveservices.azure.com',
      { kind: 'openai', azure: { resource: 'contoso' }, baseUrl: 'https://contoso.cognitiveservices.azure.com/openai/v1' },
    ],
    [
      'azure_ai/claude-mine, api_base: https://contoso.services.ai.azure.com/anthropic',
      { kind: 'anthropic', azure: { resource: 'contoso' } },
    ],
    [
      'azure_ai/grok, api_base: https://contoso.services.ai.azure.com/models',
      {
        kind: 'openai-compatible',
        azure: { resource: 'contoso' },
        baseUrl: 'https://contoso.services.ai.azure.com/openai/v1',
      },
    ],
  ])('becomes an upstream: %s', (params, expected) => {
    const [settings] = Object.values(written(`model: ${params}, api_key: os.environ/K`).upstreams ?? {});
    expect(settings).toEqual({ ...expected, apiKey: `\${K}` });
  });

  test.each([
    ['api_base: os.environ/AZURE_BASE', /uses Azure, but the URL has no resource name.*azure\.md/],
    ['api_base: https://proxy.example', /uses Azure, but the URL has no resource name/],
    ['api_base: https://contoso.openai.azure.com, tenant_id: t, client_id: c', /uses Microsoft Entra tokens.*azure\.md/],
  ])('gets a remark with the reason instead for %s', (params, reason) => {
    expect(written(`model: azure/mine, ${params}`).remarks).toContainEqual(expect.stringMatching(reason));
  });
});
