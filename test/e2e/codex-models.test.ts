/** The model list as Codex asks for it: the list of the OpenAI API and that of Codex in one answer. */
import OpenAI from 'openai';
import { afterEach, expect, test } from 'vitest';
import { ModelList } from '../../contract/models.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const open: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

async function openWith(settings: Record<string, unknown> = {}): Promise<TestGateway> {
  const gateway = await startGateway(settings);
  open.push(gateway);
  return gateway;
}

async function listFor(gateway: TestGateway, query: string): Promise<ModelList> {
  return ModelList.parse(await (await gateway.call(`/models${query}`)).json());
}

/** Codex 0.169 rejects the whole list when one of these is missing. */
const needed = [
  ...['slug', 'display_name', 'supported_reasoning_levels', 'shell_type', 'visibility', 'supported_in_api', 'priority'],
  ...['support_verbosity', 'truncation_policy', 'experimental_supported_tools', 'base_instructions'],
];

test("F19: lists the catalog's text models for Codex, each with the fields that Codex needs", async () => {
  const { data, models = [] } = await listFor(await openWith(), '?client_version=0.169.0');
  expect(data).toHaveLength(7);
  expect(models.map(({ slug }) => slug)).toEqual(data.map(({ id }) => id).filter((id) => id !== 'gpt-image-2'));
  for (const model of models) expect(Object.keys(model)).toEqual(expect.arrayContaining(needed));
});

test('F28: shows the patch tool, search and verbosity support, and context window of each entry', async () => {
  const upstreams = {
    near: { kind: 'openai', baseUrl: 'http://127.0.0.1:9/v1', protocols: ['responses'] },
    far: { kind: 'anthropic', baseUrl: 'http://127.0.0.1:9/v1' },
  };
  const texts = [
    { id: 'near-model', kind: 'text', upstream: 'near' },
    { id: 'far-model', kind: 'text', upstream: 'far' },
  ];
  const gateway = await openWith({ upstreams, models: texts, codex: { contextWindow: 123_456 } });
  expect((await listFor(gateway, '?client_version=0.169.0')).models).toMatchObject([
    { slug: 'near-model', apply_patch_tool_type: 'freeform', supports_search_tool: true, support_verbosity: true, context_window: 123_456 },
    {
      slug: 'far-model',
      apply_patch_tool_type: 'freeform',
      supports_search_tool: false,
      support_verbosity: false,
      context_window: 123_456,
    },
  ]);
});

test('lists a model with its configured context window, the others with 200,000', async () => {
  const texts = [
    { id: 'large', kind: 'text', contextWindow: 1_000_000 },
    { id: 'usual', kind: 'text' },
  ];
  const { models } = await listFor(await openWith({ models: texts }), '?client_version=0.169.0');
  expect(models).toMatchObject([
    { slug: 'large', context_window: 1_000_000 },
    { slug: 'usual', context_window: 200_000 },
  ]);
});

test('omits the list for Codex without client_version', async () => {
  expect(await listFor(await openWith(), '')).not.toHaveProperty('models');
});

test('omits the list for Codex when the operator switches it off', async () => {
  const gateway = await openWith({ codex: { models: false } });
  const list = await listFor(gateway, '?client_version=0.169.0');
  expect(list.data).toHaveLength(7);
  expect(list).not.toHaveProperty('models');
});

test('returns both lists in a form that the OpenAI SDK reads', async () => {
  const gateway = await openWith();
  const client = new OpenAI({ apiKey: gateway.key, baseURL: gateway.baseURL, defaultQuery: { client_version: '0.169.0' } });
  const page = await client.models.list();
  expect(page.data.map(({ id }) => id)).toContain('gpt-5.4');
});
