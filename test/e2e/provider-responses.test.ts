/** Responses of providers that leave the standard, a row each: what callers of both protocols read, and what is charged. */
import OpenAI from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { ChatCompletion } from '../../contract/chat/completion.ts';
import type { Fields } from '../../server/primitives/fields.ts';
import { type ChatReply, chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { SseEvent } from '../fakes/frames.ts';
import { type ResponseReply, response, responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { type Json, readRows } from '../fixtures/rows.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { startGateway } from '../harness/gateway.ts';
import { useFake, useOpened } from '../harness/opened.ts';
import { readChat, readResponses } from '../harness/transcript.ts';

/** A text is sent unchanged. `choice` is the only one; an object gets the fields that every response has. */
type Body = string | (Json & { readonly choice?: Json });
interface Row {
  readonly title: string;
  /** The protocol of the upstream, by default chat. */
  readonly over?: 'chat' | 'responses';
  /** What a fake sends, whole and streamed. */
  readonly reply?: object;
  readonly whole?: Body;
  readonly frames?: readonly Body[];
  /** The texts before and after a whole response. */
  readonly around?: readonly [string, string];
  /** The number of frames sent. */
  readonly cut?: number;
  readonly only?: 'whole' | 'frames';
  /** Whether the provider sends a stream to a call without one, and the other way round. */
  readonly isSwapped?: true;
  /** More fields of the chat request. */
  readonly request?: Json;
  /** A part of what the caller reads. */
  readonly chat?: Json;
  readonly responses?: Json;
}

const fakes = { chat: useFake(), responses: useFake() };
const gateway = useOpened(() => {
  const text = { kind: 'text', prices: { input: '1', cachedInput: '0.1', output: '10' }, maxOutputTokens: 1_000 };
  const mistral = ['mistral-large-latest', 'mistralai/Ministral-3-14B'].map((id) => ({ ...text, id, upstream: 'local' }));
  return startGateway({
    upstreams: {
      local: { kind: 'openai-compatible', baseUrl: fakes.chat.url },
      openai: { kind: 'openai', baseUrl: fakes.responses.url, apiKey: 'sk-openai' },
    },
    models: [
      { ...text, id: 'asked', upstream: 'local', upstreamModel: 'sent' },
      { ...text, id: 'over-responses', candidates: [{ upstream: 'openai', protocols: ['responses'] }] },
      ...mistral,
    ],
  });
});
let client: OpenAI;
beforeAll(() => {
  client = new OpenAI({ apiKey: gateway.key, baseURL: gateway.baseURL, maxRetries: 0 });
});

const head = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'sent-2026-01-02' };
const question = { messages: [{ role: 'user', content: 'Hi' }] };
const look = { name: 'look', parameters: { type: 'object', properties: {} } };

function toFrame(body: Body): SseEvent | { readonly raw: string } {
  if (typeof body === 'string') return { raw: `data: ${body}\n\n` };
  const { choice, ...more } = body;
  const choices = choice && { choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }] };
  return { raw: `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...choices, ...more })}\n\n` };
}

function toWhole(body: Body): string {
  if (typeof body === 'string') return body;
  const { choice, ...more } = body;
  const message = { role: 'assistant', ...(choice?.message as object) };
  const choices = choice && { choices: [{ index: 0, finish_reason: 'stop', ...choice, message }] };
  return JSON.stringify({ ...head, object: 'chat.completion', ...choices, ...more });
}

/** The scripts of a row, each with whether it is a stream. */
function buildScripts({ over, reply, cut, only, around: [before, after] = ['', ''], ...row }: Row): (readonly [Script, boolean])[] {
  const built = over === 'responses' ? response(reply as ResponseReply) : chatCompletion(reply as ChatReply);
  const sent = over === 'responses' ? responseFrames(reply as ResponseReply) : chatFrames({ ...(reply as ChatReply), includeUsage: true });
  const whole = reply ? JSON.stringify(built) : row.whole && toWhole(row.whole);
  const frames = reply ? sent.slice(0, cut) : row.frames?.map(toFrame);
  return [
    ...(whole && cut === undefined && only !== 'frames' ? [[json(`${before}${whole}${after}`), false] as const] : []),
    ...(frames && only !== 'whole' ? [[stream(frames), true] as const] : []),
  ];
}

const cases = readRows<Row>('provider-responses').flatMap((row) =>
  buildScripts(row).flatMap(([script, isStream]) =>
    (['chat', 'responses'] as const).flatMap((caller) => {
      const form = isStream ? 'streamed' : 'whole';
      const expected = row[caller];
      return expected ? [{ ...row, caller, form, script, isStream: row.isSwapped ? !isStream : isStream, expected }] : [];
    }),
  ),
);

describe('the gateway', () => {
  test.each(cases)(
    'keeps the contract for a $caller caller, $form: $title',
    async ({ over = 'chat', caller, request, script, isStream, expected }) => {
      fakes[over].always(script);
      const model = over === 'chat' ? 'asked' : 'over-responses';
      const form = isStream && { stream: true };
      const body =
        caller === 'chat'
          ? { model, ...question, ...form, ...(isStream && { stream_options: { include_usage: true } }), ...request }
          : { model, input: 'Hi', store: false, tools: [{ type: 'function', ...look }], ...form };
      const answer = await gateway.call(caller === 'chat' ? '/chat/completions' : '/responses', { json: body });
      const text = await answer.text();
      const read = answer.status !== 200 ? JSON.parse(text).error : (caller === 'chat' ? joinChat : joinResponses)(text, isStream);
      const charged = 'charged' in expected && { charged: await findCharge(answer) };
      expect({ httpStatus: answer.status, ...read, ...charged }).toMatchObject(expected);
      if (read.code === undefined) expect(fakes[over].requests).toHaveLength(1);
    },
  );
});

async function findCharge(answer: Response): Promise<number> {
  const ledger = gateway.gateway.money?.ledger ?? expect.fail('billing is off');
  return Number((await endedCharge(ledger, answer.headers.get('x-request-id') ?? '')).charged);
}

interface Call {
  readonly index?: number;
  readonly id?: string;
  readonly type?: string;
  readonly function?: Json;
}

/** The pieces of one choice, or its message, as one. */
function joinPieces(pieces: readonly Json[]) {
  const join = (values: readonly unknown[]) => values.filter((value) => typeof value === 'string').join('');
  const all = pieces.flatMap(({ tool_calls }) => ((tool_calls ?? []) as Call[]).map((call, at) => ({ index: at, ...call })));
  const calls = [...new Set(all.map(({ index }) => index))].map((at) => all.filter(({ index }) => index === at));
  return {
    role: pieces[0]?.role,
    text: join(pieces.map(({ content }) => content)),
    reasoning: join(pieces.map(({ reasoning_content }) => reasoning_content)),
    calls: calls.map((each) => ({
      id: join(each.map(({ id }) => id)),
      type: join(each.map(({ type }) => type)),
      name: join(each.map((call) => call.function?.name)),
      arguments: join(each.map((call) => call.function?.arguments)),
    })),
  };
}

function joinChat(text: string, isStream: boolean) {
  if (!isStream) {
    const { choices, ...rest } = ChatCompletion.parse(JSON.parse(text));
    return { ...rest, choices: choices.map(({ message, finish_reason }) => ({ ...joinPieces([message as Json]), reason: finish_reason })) };
  }
  const { chunks, error } = readChat(text);
  const usages = chunks.filter(({ usage }) => usage);
  expect(usages.filter(({ choices }) => choices.length > 0)).toEqual([]);
  expect(usages.length).toBeLessThan(2);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(chunks[0]?.id).toMatch(/^chatcmpl-/);
  const all = chunks.flatMap(({ choices }) => choices);
  const choices = [...new Set(all.map(({ index }) => index))].toSorted().map((at) => {
    const own = all.filter(({ index }) => index === at);
    return { ...joinPieces(own.map(({ delta }) => delta)), reason: own.flatMap(({ finish_reason }) => finish_reason ?? []).join() };
  });
  return { ...chunks[0], choices, usage: usages[0]?.usage, ...(error && { code: error.code }) };
}

function joinResponses(text: string, isStream: boolean) {
  const last = isStream ? (readResponses(text).events.at(-1) as { readonly response?: Json } | undefined)?.response : JSON.parse(text);
  const output = last.output as readonly (Fields & { readonly type: string })[];
  const joinTexts = (type: string) =>
    output
      .filter((item) => item.type === type)
      .flatMap(({ summary, content }) => [summary ?? [], content ?? []].flat() as Json[])
      .map((part) => part.text)
      .join('');
  return {
    ...last,
    types: output.map(({ type }) => type),
    text: joinTexts('message'),
    reasoning: joinTexts('reasoning'),
    calls: output.filter(({ type }) => type === 'function_call'),
  };
}

/** The frames with this output in the last event. */
const withOutput = (frames: readonly SseEvent[], output: readonly object[]): SseEvent[] =>
  frames.map((frame) => {
    const data = frame.data as { readonly type: string; readonly response: object };
    return data.type === 'response.completed' ? { ...frame, data: { ...data, response: { ...data.response, output } } } : frame;
  });

describe('a responses stream whose last event lacks items', () => {
  const reply = { text: 'Hello.', toolCalls: [{ id: 'call_1', name: 'f', arguments: '{}' }] };
  const [message, call] = response(reply).output as readonly object[];

  test.each([
    ['all', []],
    ['the first', [call ?? {}]],
  ])('returns and stores %s of them from the earlier events', async (_, output) => {
    fakes.responses.next(stream(withOutput(responseFrames(reply), output)));
    const last = await client.responses.stream({ model: 'over-responses', input: 'Hi' }).finalResponse();
    expect(last.output).toMatchObject([message, call]);
    expect((await client.responses.retrieve(last.id)).output).toEqual([message, call]);

    await client.responses.create({
      model: 'over-responses',
      previous_response_id: last.id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'ok' }],
    });
    expect(fakes.responses.last.fields.input).toMatchObject([
      { role: 'user' },
      { type: 'message' },
      { type: 'function_call' },
      { type: 'function_call_output' },
    ]);
  });
});

describe('an output_text part without its text', () => {
  const whole = response({ text: '' });
  const [message = {}] = whole.output as readonly object[];
  const bare = { ...message, content: [{ type: 'output_text' }] };
  const filled = [{ type: 'output_text', text: '', annotations: [] }];
  const frames = responseFrames({ text: '' }).map((frame) => {
    const data = frame.data as { readonly type: string };
    return data.type === 'response.output_item.done' ? { ...frame, data: { ...data, item: bare } } : frame;
  });

  test('returns and stores an empty text', async () => {
    fakes.responses.next(json({ ...whole, output: [bare] }));
    const answer = await client.responses.create({ model: 'over-responses', input: 'Hi' });
    expect(answer.output).toMatchObject([{ content: filled }]);
    expect((await client.responses.retrieve(answer.id)).output).toMatchObject([{ content: filled }]);
  });

  test.each([
    ['with', frames],
    ['without', frames.map(({ data }) => ({ data }))],
  ])('streams and stores an empty text, from events %s names', async (_, events) => {
    fakes.responses.next(stream(withOutput(events, [bare])));
    const items: unknown[] = [];
    const answers: OpenAI.Responses.Response[] = [];
    for await (const event of await client.responses.create({ model: 'over-responses', input: 'Hi', stream: true })) {
      if (event.type === 'response.output_item.done') items.push(event.item);
      if (event.type === 'response.completed') answers.push(event.response);
    }
    expect(items).toMatchObject([{ content: filled }]);
    expect(answers).toMatchObject([{ output: [{ content: filled }] }]);
    expect((await client.responses.retrieve(answers[0]?.id ?? '')).output).toMatchObject([{ content: filled }]);
  });

  test('streams an empty text for items that the last event lacks', async () => {
    fakes.responses.next(stream(withOutput(frames, [])));
    const last = await client.responses.stream({ model: 'over-responses', input: 'Hi' }).finalResponse();
    expect(last.output).toMatchObject([{ content: filled }]);
  });
});

describe('tool call IDs', () => {
  const sent = { name: 'f', arguments: '{}' };
  const call = (id: string) => ({ id, type: 'function', function: sent });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
  const conversation = (...ids: readonly string[]) => [
    ...question.messages,
    { role: 'assistant', content: null, tool_calls: ids.map(call) },
    ...ids.map(result),
  ];
  const sentIds = () =>
    (fakes.chat.last.fields.messages as Fields[]).flatMap(({ tool_calls: calls, tool_call_id: id }) => [
      ...(Array.isArray(calls) ? calls.map((each) => each.id) : []),
      ...(id === undefined ? [] : [id]),
    ]);
  const developer = { role: 'developer', content: 'Be brief.' };
  const long = 'call_1234567890';

  test.each(['mistral-large-latest', 'mistralai/Ministral-3-14B'])('changes them to nine letters and digits for %s', async (model) => {
    fakes.chat.next(json(chatCompletion())).next(json(chatCompletion()));
    expect(
      (await gateway.call('/chat/completions', { json: { model, messages: [developer, ...conversation(long, 'abc123XYZ')] } })).status,
    ).toBe(200);
    expect(fakes.chat.last.fields.messages).toMatchObject([{ role: 'system' }, {}, {}, {}, {}]);
    const [first, second, ...others] = sentIds();
    expect([first, second, others]).toEqual([expect.stringMatching(/^[A-Za-z0-9]{9}$/), 'abc123XYZ', [first, second]]);
    const item = { type: 'function_call', call_id: long, ...sent };
    const output = { type: 'function_call_output', call_id: long, output: 'ok' };
    expect((await gateway.call('/responses', { json: { model, input: [{ role: 'user', content: 'Hi' }, item, output] } })).status).toBe(
      200,
    );
    expect(sentIds()).toEqual([first, first]);
  });

  test('keeps them for other models', async () => {
    fakes.chat.next(json(chatCompletion()));
    await gateway.call('/chat/completions', { json: { model: 'asked', messages: conversation(long) } });
    expect(sentIds()).toEqual([long, long]);
  });
});
