/** The real Codex CLI through the gateway: turns with a shell command and a patch over every kind of upstream. */
import { afterEach, describe, expect, test } from 'vitest';
import { anthropicErrorFrame, anthropicFrames } from '../fakes/anthropic.ts';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { failure } from '../fakes/faults.ts';
import { geminiError, geminiFrames } from '../fakes/gemini.ts';
import type { Script } from '../fakes/script.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { type CodexOrder, type CodexTurn, runCodex } from '../harness/codex.ts';
import { openCuttingProxy } from '../harness/cutting-proxy.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { codexMissing, leftOut } from '../harness/tools.ts';
import { goodbye, list, pieces, shellCall, type Vendor, vendors } from './codex-vendors.ts';

const [responsesVendor, , ...translated] = vendors;

/** First a command, then a patch, then a text: by the number of results in the request. */
const agentScript =
  ({ results, say, patchCall }: Vendor) =>
  (request: FakeRequest): Script =>
    say([{ toolCalls: [shellCall] }, { toolCalls: [patchCall] }][results(request).length] ?? { text: goodbye });

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

async function openVendor(
  { kind, protocols, place }: Pick<Vendor, 'kind' | 'protocols' | 'place'>,
  settings = {},
): Promise<{ fake: Fake; gateway: TestGateway }> {
  const fake = await openFake();
  const upstreams = { vendor: { kind, protocols, baseUrl: fake.url, apiKey: 'sk-vendor-secret', ...place?.(new URL(fake.url).origin) } };
  const gateway = await startGateway({ upstreams, ...settings });
  open.push(fake, gateway);
  return { fake, gateway };
}

async function turn(order: CodexOrder): Promise<CodexTurn> {
  const done = await runCodex(order);
  open.push({ close: done.forget });
  return done;
}

const threefold = ({ usage: [input, cached, output, thought] }: Vendor) => ({
  input_tokens: 3 * input,
  cached_input_tokens: 3 * cached,
  output_tokens: 3 * output,
  reasoning_output_tokens: 3 * thought,
});

const half = { text: ['Half of ', 'it.'] };
const busy = { message: 'Overloaded', type: 'server_error', code: 'server_is_overloaded', param: null };

const toolNames = ({ fields }: FakeRequest): readonly unknown[] => list(fields.tools).map(({ name, type }) => name ?? type);

describe.skipIf(codexMissing !== null)(`Codex${leftOut(codexMissing)}`, () => {
  test.each(vendors)('runs a command, writes a patch and finishes over a WebSocket and $name', async (vendor) => {
    const { fake, gateway } = await openVendor(vendor);
    fake.always(agentScript(vendor));
    const done = await turn({ gateway, model: 'gpt-5.5', prompt: 'Speak, then leave a note.' });

    expect(done.items.filter(({ type }) => type !== 'reasoning')).toMatchObject([
      { type: 'command_execution', exit_code: 0, aggregated_output: 'spoken through the shell\n', status: 'completed' },
      { type: 'file_change', changes: [{ kind: 'add' }], status: 'completed' },
      { type: 'agent_message', text: goodbye },
    ]);
    expect(await done.readFile('spoken.txt')).toBe('spoken through the shell\n');
    expect(await done.readFile('note.txt')).toBe('Grüße — "quoted" \\ ☕ 🌍\nsecond line\n');
    expect(done.usage).toMatchObject(threefold(vendor));
    expect(done.exitCode).toBe(0);

    const [spoken, noted] = [expect.stringContaining('spoken through the shell'), expect.stringContaining('note.txt')];
    expect(fake.requests.map(vendor.results)).toEqual([[], [spoken], [spoken, noted]]);
    expect(new Set(fake.requests.map(({ path }) => path))).toEqual(new Set([vendor.path]));
    const names = fake.requests.flatMap(({ fields, headers }) => [...Object.keys(fields), ...Object.keys(headers)]);
    expect(names.filter((name) => /client_metadata|codex|originator|session|thread/.test(name))).toEqual([]);
    expect(done.strangers).toEqual([]);
    // Over one WebSocket: the warm-up, and the three requests of the turn.
    expect(await gateway.lineWhere(({ msg }) => msg === 'WebSocket closed')).toMatchObject({ turns: 4 });
  });

  test('runs the command of the built-in simulator and finishes', async () => {
    const gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
    open.push(gateway);
    const done = await turn({ gateway, model: 'gpt-5.5', prompt: 'Call exec_command, please.' });
    const command = { type: 'command_execution', aggregated_output: 'simulator\n', exit_code: 0 };
    expect(done.items.filter(({ type }) => type !== 'reasoning')).toMatchObject([command, { type: 'agent_message' }]);
    expect(done.usage).toMatchObject({ input_tokens: expect.toSatisfy((count: number) => count > 1000) });
    expect(done.exitCode).toBe(0);
  });

  test.each(translated)('runs the tool of a namespace that $name calls', async (vendor) => {
    const { fake, gateway } = await openVendor(vendor);
    const call = { id: 'call_close', name: 'multi_agent_v1__close_agent', arguments: '{"target":"nobody"}' };
    fake.always((request) => vendor.say(vendor.results(request).length === 0 ? { toolCalls: [call] } : { text: goodbye }), {});
    const done = await turn({ gateway, model: 'gpt-5.4', prompt: 'Close that agent.' });
    expect(vendor.results(fake.last)).toEqual([expect.stringContaining('invalid agent id nobody')]);
    expect(done.items).toContainEqual({ type: 'agent_message', text: goodbye });
  });

  // These two refuse `parallel_tool_calls: false`, which Codex always sends for these models.
  test.each(translated.filter(({ kind }) => kind !== 'gemini' && kind !== 'converse'))(
    'runs the code of a light model, whose tools are in the input, over $name',
    async (vendor) => {
      const { fake, gateway } = await openVendor(vendor);
      const call = { id: 'call_exec', name: 'functions__exec', arguments: pieces(JSON.stringify({ input: 'text("six times " + 7);' })) };
      fake.always((request) => vendor.say(vendor.results(request).length === 0 ? { toolCalls: [call] } : { text: goodbye }), {});
      const done = await turn({ gateway, model: 'codex-auto-review', prompt: 'Count.' });
      expect(vendor.results(fake.last)).toEqual([expect.stringContaining('six times 7')]);
      expect(done.items).toContainEqual({ type: 'agent_message', text: goodbye });
    },
  );

  test.each(vendors)('F22: runs a command, writes a patch and finishes over HTTP and $name where WebSockets are off', async (provider) => {
    const { fake, gateway } = await openVendor(provider, { server: { maxWebSockets: 0 } });
    fake.always(agentScript(provider));
    const done = await turn({ gateway, model: 'gpt-5.5', prompt: 'Speak, then leave a note.' });
    expect(await done.readFile('note.txt')).toContain('second line');
    expect(done.items.at(-1)).toEqual({ type: 'agent_message', text: goodbye });
    expect(done.events.filter(({ type }) => type === 'error')).toEqual([]);
    expect(fake.requests).toHaveLength(3);
    // It tries a WebSocket once.
    expect(gateway.lines.filter(({ status }) => status === 426)).toHaveLength(1);
  });

  test.each(vendors.filter(({ name }) => /^(?:a responses|a chat-only|an anthropic|a gemini) upstream$/.test(name)))(
    'finishes a turn of 20 commands over $name although its WebSocket is cut in the middle',
    async (provider) => {
      const { fake, gateway } = await openVendor(provider);
      const proxy = await openCuttingProxy(gateway.origin);
      open.push(proxy);
      fake.always((request) => {
        const count = provider.results(request).length;
        if (count === 10) proxy.cutOnce();
        return provider.say(count < 20 ? { toolCalls: [{ ...shellCall, id: `call_${count}` }] } : { text: goodbye });
      });
      const done = await turn({ gateway: { ...gateway, baseURL: `${proxy.origin}/v1` }, model: 'gpt-5.5', prompt: 'Speak often.' });
      expect(done.items.at(-1)).toEqual({ type: 'agent_message', text: goodbye });
      expect(done.items.filter(({ type }) => type === 'command_execution')).toHaveLength(20);
      expect(done.exitCode).toBe(0);
      expect(gateway.lines.filter(({ msg }) => msg === 'WebSocket closed').length).toBeGreaterThan(1);
      // The turn that it sends again gets the response of the first one.
      expect(fake.requests).toHaveLength(21);
    },
  );

  test("F28: gets its patch tool for a model that it doesn't know when it reads the model list", async () => {
    const { fake, gateway } = await openVendor(responsesVendor);
    fake.always(agentScript(responsesVendor));
    const order = { gateway, model: 'gpt-5.4', prompt: 'Speak, then leave a note.' };
    const listed = await turn({ ...order, provider: [`model_catalog_url = "${gateway.baseURL}/models"`] });
    expect(await listed.readFile('note.txt')).toContain('second line');
    expect(toolNames(fake.last)).toEqual(expect.arrayContaining(['exec_command', 'apply_patch', 'web_search']));
    expect(fake.last.fields).toMatchObject({ reasoning: { effort: 'medium' }, text: { verbosity: 'low' } });
    expect(JSON.stringify(listed.events)).not.toContain('metadata');

    const unlisted = await turn({ ...order, prompt: 'Only say it.' });
    expect(toolNames(fake.last)).not.toContain('apply_patch');
    expect(JSON.stringify(unlisted.events)).toContain('metadata');
  });

  test("doesn't retry when the input is too long for the model, and names the reason", async () => {
    const { fake, gateway } = await openVendor(responsesVendor);
    const tooLong = failure(400, { code: 'context_length_exceeded', param: 'input', message: 'Your input exceeds the context window.' });
    fake.always(tooLong);
    const done = await turn({ gateway, model: 'gpt-5.5', prompt: 'Say it.' });
    expect(done.events.at(-1)).toMatchObject({ type: 'turn.failed', error: { message: expect.stringContaining('ran out of room') } });
    expect(fake.requests).toHaveLength(1);
  });

  test.each([
    ['an anthropic upstream', anthropicFrames(half).slice(0, 5), anthropicErrorFrame('overloaded_error')],
    ['a gemini upstream', geminiFrames(half).slice(0, 1), { data: geminiError(503, 'UNAVAILABLE', 'The model is overloaded.') }],
    ['a chat-only upstream', chatFrames(half).slice(0, 2), { data: { error: busy } }],
  ])('C8: waits, asks again and finishes when %s is overloaded in the middle of an answer', async (name, begun, overloaded) => {
    const vendor = vendors.find((one) => one.name === name) ?? expect.fail(`no vendor called ${name}`);
    const { fake, gateway } = await openVendor(vendor);
    fake.next(stream([...begun, overloaded])).always(vendor.say({ text: goodbye }));
    const done = await turn({ gateway, model: 'gpt-5.5', prompt: 'Say it.' });
    expect(done.items).toContainEqual({ type: 'agent_message', text: goodbye });
    expect(done.exitCode).toBe(0);
    expect(JSON.stringify(done.events)).not.toContain('at capacity');
    expect(fake.requests).toHaveLength(2);
    const [first, second] = fake.requests;
    // Codex has its own clock, which the test cannot hold. A busy machine only makes the request later, never sooner.
    expect(Number(second?.arrivedAt) - Number(first?.arrivedAt)).toBeGreaterThan(1_900);
  });

  test('waits as long as a busy upstream asks it to, and finishes', async () => {
    const { fake, gateway } = await openVendor(responsesVendor);
    fake.next(failure(429, { code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } }));
    fake.always(() => responsesVendor.say({ text: goodbye }));
    const done = await turn({ gateway, model: 'gpt-5.5', prompt: 'Say it.' });
    expect(done.items).toContainEqual({ type: 'agent_message', text: goodbye });
    const [first, second] = fake.requests;
    // Codex has its own clock, which the test cannot hold. A busy machine only makes the request later, never sooner.
    expect(Number(second?.arrivedAt) - Number(first?.arrivedAt)).toBeGreaterThan(900);
  });
});
