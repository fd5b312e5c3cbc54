/** Requests as Codex makes them, over every kind of upstream: what the upstream gets, and the form of the tool calls that Codex gets. */
import { afterEach, describe, expect, test } from 'vitest';
import { anthropicFrames } from '../fakes/anthropic.ts';
import { chatFrames, type FakeToolCall } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { readFrames, type SseEvent } from '../fakes/frames.ts';
import { responseFrames, responseUsage } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { codexHeaders, compactionRequest, grammar, lightRequest, summaryRequest, usualRequest } from '../harness/codex-request.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

type Fields = Readonly<Record<string, unknown>>;

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

async function openVendor(protocol: 'responses' | 'chat' | 'anthropic'): Promise<{ fake: Fake; gateway: TestGateway }> {
  const fake = await openFake();
  const kind = protocol === 'responses' || protocol === 'chat' ? 'openai' : protocol;
  const upstreams = { vendor: { kind, protocols: [protocol], baseUrl: fake.url, apiKey: 'sk-vendor-secret' } };
  const gateway = await startGateway({ upstreams });
  open.push(fake, gateway);
  return { fake, gateway };
}

const ask = (gateway: TestGateway, json: Fields): Promise<Response> => gateway.call('/responses', { json, headers: codexHeaders });

/** All that Codex reads of an answer: finished items without their ids, and the usage at the end. */
async function readAsCodex(answer: Response): Promise<{ items: readonly unknown[]; usage: unknown }> {
  // Frames of a responses stream are objects.
  const events = readFrames(await answer.text()).map(({ data }) => data as { type?: string; item?: Fields; response?: Fields });
  const items = events
    .filter(({ type }) => type === 'response.output_item.done')
    .map(({ item }) => ({ ...item, id: undefined, status: undefined }));
  return { items, usage: events.find(({ type }) => type === 'response.completed')?.response?.usage };
}

const patch = '*** Begin Patch\n*** Add File: é.txt\n+"quoted" \\ 🌍\n*** End Patch\n';
const calls: readonly FakeToolCall[] = [
  { id: 'call_a', name: 'exec_command', arguments: ['{"cmd"', ':"ls"}'] },
  { id: 'call_b', name: 'apply_patch', arguments: JSON.stringify({ input: patch }).match(/.{1,5}/gsu) ?? [] },
  { id: 'call_c', name: 'multi_agent_v1__close_agent', arguments: '{"target":"x"}' },
];
const inDeclaredForm = [
  { type: 'function_call', call_id: 'call_a', name: 'exec_command', arguments: '{"cmd":"ls"}' },
  { type: 'custom_tool_call', call_id: 'call_b', name: 'apply_patch', input: patch },
  { type: 'function_call', call_id: 'call_c', name: 'close_agent', namespace: 'multi_agent_v1', arguments: '{"target":"x"}' },
];
const lightCalls = [{ id: 'call_d', name: 'functions__exec', arguments: JSON.stringify({ input: 'text("é")' }) }];
const lightForm = { type: 'custom_tool_call', call_id: 'call_d', name: 'exec', namespace: 'functions', input: 'text("é")' };

/** Codex fails a turn whose usage details are present but incomplete. */
const filledUsage = {
  input_tokens: 11,
  input_tokens_details: expect.objectContaining({ cached_tokens: 3 }),
  output_tokens: 7,
  output_tokens_details: expect.objectContaining({ reasoning_tokens: 2 }),
  total_tokens: 18,
};

/** Items that only a responses upstream can send. */
const nativeItems = [
  {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_c',
    name: 'close_agent',
    namespace: 'multi_agent_v1',
    arguments: '{}',
  },
  { id: 'ctc_1', type: 'custom_tool_call', status: 'completed', call_id: 'call_b', name: 'apply_patch', input: patch },
  { id: 'ts_1', type: 'tool_search_call', status: 'completed', call_id: 'call_s', execution: 'client', arguments: { query: 'calendar' } },
];
/** The events between the start and the end of an item: its text in one piece. A search has none. */
function nativeText({ id, type, ...item }: (typeof nativeItems)[number], output_index: number): Fields[] {
  const place = { item_id: id, output_index };
  const field = type === 'custom_tool_call' ? 'input' : 'arguments';
  const name = type === 'custom_tool_call' ? 'custom_tool_call_input' : 'function_call_arguments';
  const text = item[field];
  if (typeof text !== 'string') return [];
  return [
    { type: `response.${name}.delta`, ...place, delta: text },
    { type: `response.${name}.done`, ...place, [field]: text },
  ];
}
function nativeFrames(): SseEvent[] {
  // Frames of a responses stream are objects.
  const frames = responseFrames({ text: null, reasoning: 'Short.', usage: responseUsage }).map(({ data }) => data as Fields);
  const told = nativeItems.flatMap((item, index) => [
    { type: 'response.output_item.added', output_index: index + 1, item },
    ...nativeText(item, index + 1),
    { type: 'response.output_item.done', output_index: index + 1, item },
  ]);
  const last = frames.at(-1)?.response as Fields & { readonly output: readonly unknown[] };
  const end = { ...frames.at(-1), response: { ...last, output: [...last.output, ...nativeItems] } };
  return [...frames.slice(0, -1), ...told, end].map((event: Fields, sequence_number) => ({
    event: String(event.type),
    data: { ...event, sequence_number },
  }));
}

describe('over a responses upstream', () => {
  test.each([
    ['usual', usualRequest],
    ['light', lightRequest],
    ['compaction', compactionRequest],
  ])('F23: forwards a %s request unchanged, without Codex’s own metadata and headers', async (_name, request) => {
    const { fake, gateway } = await openVendor('responses');
    fake.always(stream(responseFrames()));
    const answer = await ask(gateway, request);
    expect(answer.status).toBe(200);
    // What Codex sends is a list of items.
    const input = (request.input as Fields[]).map(({ id: _, internal_chat_message_metadata_passthrough: __, ...item }) => item);
    expect(fake.last.json).toEqual({ ...request, input, client_metadata: undefined });
    expect(Object.keys(fake.last.headers).filter((name) => /codex|session|thread|originator|client-request/.test(name))).toEqual([]);
    expect(String(fake.last.headers['user-agent'])).not.toContain('codex');
  });

  test('F07: returns tool calls of every form byte for byte, without the provider’s headers that Codex reads', async () => {
    const { fake, gateway } = await openVendor('responses');
    fake.always(
      stream(nativeFrames(), { headers: { 'openai-model': 'gpt-other', 'x-codex-turn-state': 'state', 'x-models-etag': 'tag' } }),
    );
    const answer = await ask(gateway, { ...usualRequest, model: 'gpt-5.4' });
    const names = [...answer.headers.keys()];
    expect(names.filter((name) => /^openai-|codex|etag/.test(name))).toEqual([]);
    expect(await answer.text()).toBe(`${fake.last.sent}data: [DONE]\n\n`);
  });
});

/** The name and the description of a function in the form of each protocol. */
const readTools = {
  chat: ({ tools }: Fields) => (tools as readonly { readonly function: Fields }[]).map((tool) => tool.function),
  anthropic: ({ tools }: Fields) => tools as readonly Fields[],
};
const builders = {
  chat: (toolCalls: readonly FakeToolCall[]) => chatFrames({ toolCalls, includeUsage: true }),
  anthropic: (toolCalls: readonly FakeToolCall[]) => anthropicFrames({ toolCalls }),
};

describe.each(['chat', 'anthropic'] as const)('over an upstream of %s', (protocol) => {
  test('F07: sends every tool as a function, and returns tool calls in their declared form', async () => {
    const { fake, gateway } = await openVendor(protocol);
    fake.always(stream(builders[protocol](calls)));
    const read = await readAsCodex(await ask(gateway, usualRequest));
    expect(read).toMatchObject({ items: inDeclaredForm, usage: filledUsage });
    const names = ['exec_command', 'apply_patch', 'multi_agent_v1__close_agent', 'multi_agent_v1__spawn_agent'];
    const tools = readTools[protocol](fake.last.fields);
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools[1]?.description).toContain(grammar);
    const sent = JSON.stringify(fake.last.fields);
    for (const text of ['You are a coding agent.', 'Leave a note.', 'note.txt', 'patched', 'closed']) expect(sent).toContain(text);
  });

  test('finds the tools of a light model in its input', async () => {
    const { fake, gateway } = await openVendor(protocol);
    fake.always(stream(builders[protocol](lightCalls)));
    const read = await readAsCodex(await ask(gateway, lightRequest));
    expect(read).toMatchObject({ items: [lightForm], usage: filledUsage });
    expect(readTools[protocol](fake.last.fields).map(({ name }) => name)).toEqual(['functions__exec', 'functions__wait']);
  });
});

describe('a request for a summary of the session', () => {
  test.each(['chat', 'anthropic'] as const)('offers the model no tool over %s', async (protocol) => {
    const { fake, gateway } = await openVendor(protocol);
    const reply = { text: 'All of it.', includeUsage: true };
    fake.always(stream(protocol === 'chat' ? chatFrames(reply) : anthropicFrames(reply)));
    const { items } = await readAsCodex(await ask(gateway, summaryRequest));
    expect(items).toMatchObject([{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'All of it.' }] }]);
    // Chat providers reject tool_choice without tools; Anthropic needs the tools of past calls declared.
    if (protocol === 'chat')
      for (const field of ['tools', 'tool_choice', 'parallel_tool_calls']) expect(fake.last.fields).not.toHaveProperty(field);
    else expect(fake.last.fields).toMatchObject({ tool_choice: { type: 'none' } });
    expect(JSON.stringify(fake.last.fields.messages)).toContain('Sum it all up.');
  });
});
