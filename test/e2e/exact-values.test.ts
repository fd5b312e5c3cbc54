/** Values that JavaScript would change on the way: integers beyond 2^53 keep their digits, and half of a surrogate pair becomes U+FFFD. */
import { describe, expect, test } from 'vitest';
import { anthropicMessage } from '../fakes/anthropic.ts';
import { converseAnswer } from '../fakes/converse.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { SseEvent } from '../fakes/frames.ts';
import { geminiAnswer, geminiFrames } from '../fakes/gemini.ts';
import type { Script } from '../fakes/script.ts';
import { useOpened } from '../harness/opened.ts';
import { type Caller, callers, clearFakes, type Kind, kinds, modelOver, openPairs } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

const pairs = useOpened(() => openPairs(), clearFakes);

const path = { chat: '/chat/completions', responses: '/responses' } as const;
const translated = callers.flatMap((caller) => kinds.filter((kind) => kind !== caller).map((kind) => ({ caller, kind })));

/** Larger than 2^53, with digits that a double doesn't keep. */
const BIG = '2512292042121000001';
const NEGATIVE = '-12345678901234567890123';
const ARGUMENTS = `{"id":${BIG},"rows":[{"id":${NEGATIVE}}],"count":7}`;

interface Conversation {
  /** The arguments of an earlier tool call. */
  readonly call?: string;
  /** The result of that call. */
  readonly output?: string;
  /** The JSON text of the tool's schema. */
  readonly schema?: string;
  /** The JSON text of the response format's schema. */
  readonly format?: string;
  readonly stream?: boolean;
}

const OBJECT = '{"type":"object","properties":{}}';

/** A body as JSON text, since an object can't hold these numbers. */
function bodyOf(
  caller: Caller,
  kind: Kind,
  { call = '{}', output = 'done', schema = OBJECT, format, stream = false }: Conversation,
): string {
  const usual = `"model":"${modelOver(kind)}","stream":${stream}`;
  const name = '"name":"look_up"';
  const asked = '{"role":"user","content":"Look it up."}';
  const [called, result] = [JSON.stringify(call), JSON.stringify(output)];
  if (caller === 'chat') {
    const calls = `[{"id":"call_1","type":"function","function":{${name},"arguments":${called}}}]`;
    const messages = `[${asked},{"role":"assistant","tool_calls":${calls}},{"role":"tool","tool_call_id":"call_1","content":${result}}]`;
    const told = format ? `,"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":${format}}}` : '';
    return `{${usual},"messages":${messages},"tools":[{"type":"function","function":{${name},"parameters":${schema}}}]${told}}`;
  }
  const items = `{"type":"function_call","call_id":"call_1",${name},"arguments":${called}},{"type":"function_call_output","call_id":"call_1","output":${result}}`;
  const told = format ? `,"text":{"format":{"type":"json_schema","name":"answer","schema":${format}}}` : '';
  return `{${usual},"input":[${asked},${items}],"tools":[{"type":"function",${name},"parameters":${schema}}]${told}}`;
}

const ask = (caller: Caller, kind: Kind, conversation: Conversation = {}) =>
  pairs.gateway.call(path[caller], {
    body: Buffer.from(bodyOf(caller, kind, conversation)),
    headers: { 'content-type': 'application/json' },
  });

/** The text that the upstream gets for this conversation. */
async function sentFor(caller: Caller, kind: Kind, conversation: Conversation): Promise<string> {
  pairs.expectToSay(kind, { text: 'Yes.' });
  const answer = await ask(caller, kind, conversation);
  expect(answer.status, await answer.text()).toBe(200);
  return pairs.fakes[kind].last.body.toString();
}

describe.each(translated)('$caller over $kind', ({ caller, kind }) => {
  test('keeps the digits of arguments in the history', async () => {
    const sent = await sentFor(caller, kind, { call: ARGUMENTS });
    // Protocols of OpenAI have the arguments as a string.
    expect(sent).toContain(kind === 'chat' || kind === 'responses' ? JSON.stringify(ARGUMENTS) : ARGUMENTS);
  });

  test('keeps the digits in the schema of a tool', async () => {
    const id = `{"type":"integer","enum":[${BIG},${NEGATIVE}],"maximum":${BIG}}`;
    const sent = await sentFor(caller, kind, { schema: `{"type":"object","properties":{"id":${id}}}` });
    expect(sent).toContain(`"properties":{"id":${id}}`);
  });

  test('keeps the digits in the schema of the response format', async () => {
    const id = `{"type":"integer","enum":[${BIG}]}`;
    const format = `{"type":"object","properties":{"id":${id}},"required":["id"],"additionalProperties":false}`;
    const sent = await sentFor(caller, kind, { format });
    // Converse has the schema as a string.
    expect(sent.replaceAll('\\"', '"')).toContain(`"properties":{"id":${id}}`);
  });

  test('sends U+FFFD for half of a surrogate pair, and the other text as it is', async () => {
    const sent = await sentFor(caller, kind, { output: 'bad \ud83d\ud83d end, pair \u{1f600}, path C:\\\udc00 and \\ud83d' });
    expect(sent).toContain('bad \ufffd\ufffd end, pair \u{1f600}, path C:\\\\\ufffd and \\\\ud83d');
  });
});

test.each(callers)('keeps the bytes of a surrogate and of a schema between %s and its own protocol', async (caller) => {
  const schema = `{"type":"object","properties":{"id":{"type":"integer","maximum":${BIG}}}}`;
  const sent = await sentFor(caller, caller, { output: 'bad \ud83d end', schema });
  expect(sent).toContain('"bad \\ud83d end"');
  expect(sent).toContain(schema);
});

const MARK = '<arguments>';
/** The text with the arguments in the place of the marked object. */
const exact = (value: unknown): string => JSON.stringify(value).replace(`{"mark":"${MARK}"}`, ARGUMENTS);
const marked = { mark: MARK };
const toolCalls = [{ id: 'toolu_1', name: 'look_up', arguments: [JSON.stringify(marked)] }];
const calls = [{ id: 'call_1', name: 'look_up', args: marked }];

const wholes: readonly (readonly [Kind, Script])[] = [
  ['anthropic', json(exact(anthropicMessage({ text: null, toolCalls })))],
  ['gemini', json(exact(geminiAnswer({ text: null, calls })))],
  ['converse', json(exact(converseAnswer({ text: null, toolCalls })))],
];
const inText = ({ data, ...frame }: SseEvent): SseEvent => ({ ...frame, data: exact(data) });

describe.each(callers)('a response to %s', (caller) => {
  test.each(wholes)('keeps the digits of the arguments from %s', async (kind, script) => {
    pairs.fakes[kind].next(script);
    const answer = await ask(caller, kind);
    expect(await answer.text()).toContain(`"arguments":${JSON.stringify(ARGUMENTS)}`);
  });

  test('keeps the digits of the arguments in a stream from gemini', async () => {
    pairs.fakes.gemini.next(stream(geminiFrames({ text: 'Wait.', calls }).map(inText)));
    const answer = await ask(caller, 'gemini', { stream: true });
    expect(await answer.text()).toContain(`"arguments":${JSON.stringify(ARGUMENTS)}`);
  });
});

test.each(['anthropic', 'gemini', 'converse'] as const)('returns 400 when the arguments for %s are one large integer', async (kind) => {
  await expectRefusal(await ask('chat', kind, { call: BIG }), { code: 'invalid_value', param: 'messages[1].tool_calls[0]' });
});

test('returns 502 when the response of the upstream is one large integer', async () => {
  pairs.fakes.anthropic.next(json(BIG));
  await expectRefusal(await ask('chat', 'anthropic'), { code: 'upstream_error' });
});
