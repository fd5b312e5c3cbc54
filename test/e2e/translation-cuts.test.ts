/** Translated answers that break off at each frame, in several ways: none of them may look complete. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { anthropicErrorFrame } from '../fakes/anthropic.ts';
import type { Delivery } from '../fakes/delivery.ts';
import type { Frame, SseEvent } from '../fakes/frames.ts';
import { geminiError } from '../fakes/gemini.ts';
import { useOpened } from '../harness/opened.ts';
import {
  type Caller,
  callers,
  clearFakes,
  framesOf,
  type Kind,
  kinds,
  modelOver,
  openPairs,
  type Reply,
  say,
  streamOver,
} from '../harness/pairs.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { expectBrokenChat, expectBrokenResponses, readResponses } from '../harness/transcript.ts';
import { orderFaults } from './translation-callers.ts';

const pairs = useOpened(() => openPairs(), clearFakes);

const reply: Reply = {
  thought: 'Let me see.',
  text: ['Grüße ', '☕ and ', '🌍.'],
  calls: [{ id: 'call_oslo', name: 'get_rain', input: '{"city":"Oslo"}' }],
};
const question = { chat: { messages: [{ role: 'user', content: 'Hello' }] }, responses: { input: 'Hello' } } as const;
const path = { chat: '/chat/completions', responses: '/responses' } as const;

/** The number of frames that may be missing at the end of a complete stream: after the finish reason only usage follows. */
const spare: Readonly<Record<Kind, number>> = { chat: 2, responses: 0, anthropic: 0, gemini: 0, converse: 1 };

const overload: Readonly<Record<Kind, SseEvent>> = {
  chat: { data: { error: { message: 'Overloaded', type: 'server_error', code: 'server_is_overloaded', param: null } } },
  responses: {
    event: 'error',
    data: { type: 'error', sequence_number: 3, code: 'server_is_overloaded', message: 'Overloaded', param: null },
  },
  anthropic: anthropicErrorFrame('overloaded_error'),
  gemini: { data: geminiError(503, 'UNAVAILABLE', 'The model is overloaded.') },
  converse: { event: 'serviceUnavailableException', data: 'The service is busy.' },
};

interface Break {
  readonly name: string;
  /** The frames in place of the rest. */
  readonly instead?: (kind: Kind) => readonly Frame[];
  readonly delivery: Delivery;
}

const breaks: readonly Break[] = [
  { name: 'ends as if it were whole', delivery: {} },
  { name: 'ends by FIN', delivery: { ending: 'fin' } },
  { name: 'is cut', delivery: { ending: 'cut' } },
  { name: 'is reset', delivery: { ending: 'reset' } },
  { name: 'turns into garbage', instead: () => [{ raw: 'data: {"choices":[{"delta":oops\n\n' }], delivery: {} },
  { name: 'turns into a page', instead: () => [{ raw: '<html><h1>502 Bad Gateway</h1></html>\n\n' }], delivery: {} },
  { name: 'says that it failed', instead: (kind) => [overload[kind]], delivery: {} },
];

interface Pair {
  readonly caller: Caller;
  readonly kind: Kind;
}
const ways: readonly Pair[] = callers.flatMap((caller) => kinds.map((kind) => ({ caller, kind })));
const unlike = ways.filter(({ caller, kind }) => caller !== kind);
const cases = unlike.flatMap((pair) => breaks.map((how) => ({ ...pair, ...how, how })));

/** The status and the error of the answer, or the error event of the stream. */
async function expectFailure({ caller, kind }: Pair): Promise<{ status: number; error: ErrorBody['error'] }> {
  const answer = await pairs.gateway.call(path[caller], { json: { model: modelOver(kind), ...question[caller], stream: true } });
  const text = await answer.text();
  // The caller checks the code.
  if (answer.status !== 200) return { status: answer.status, error: (JSON.parse(text) as ErrorBody).error };
  if (caller === 'responses') expect(orderFaults(readResponses(text).events)).toEqual([]);
  const error = caller === 'chat' ? expectBrokenChat(text) : expectBrokenResponses(text);
  expect(text).not.toMatch(/"finish_reason":"|response\.(completed|incomplete)/);
  return { status: 200, error };
}

describe.each(cases)('F01, G8: $caller over $kind: a stream that $name', ({ caller, kind, how }) => {
  test('ends with an error after any number of frames, and never looks complete', async () => {
    const codes = new Set<string>();
    let isOver = false;
    let kept = 0;
    for (; !isOver; kept++) {
      pairs.fakes[kind].next((request) => {
        const frames = framesOf(kind, request, reply);
        isOver = kept + 1 >= frames.length - spare[kind];
        return streamOver(kind, [...frames.slice(0, kept), ...(how.instead?.(kind) ?? [])], how.delivery);
      });
      const { status, error } = await expectFailure({ caller, kind });
      codes.add(error.code);
      // F02: before any output the failure is answered with a status.
      if (kept === 0) expect(status).toBeGreaterThanOrEqual(500);
      if (isOver) expect(status).toBe(200);
    }
    const expected =
      how.name !== 'says that it failed' ? 'upstream_error' : kind === 'chat' || kind === 'responses' ? null : 'upstream_unavailable';
    if (expected !== null) expect([...codes]).toEqual([expected]);
    else expect(codes.size).toBe(1);
    recordAttempts('G8', { what: 'cuts of a stream', times: kept });
  });
});

test.each(ways)('F01, G8: throws in the OpenAI SDK for $caller over $kind when the stream is reset', async ({ caller, kind }) => {
  pairs.fakes[kind].next((request) => {
    const frames = framesOf(kind, request, reply);
    return streamOver(kind, frames.slice(0, -1 - spare[kind]), { ending: 'reset' });
  });
  const sdk = new OpenAI({ baseURL: pairs.gateway.baseURL, apiKey: pairs.gateway.key, maxRetries: 0 });
  const model = modelOver(kind);
  const seen: string[] = [];
  const read = async () => {
    const events =
      caller === 'chat'
        ? await sdk.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }], stream: true })
        : await sdk.responses.create({ model, input: 'Hello', stream: true });
    for await (const event of events) seen.push(JSON.stringify(event));
  };
  await expect(read()).rejects.toMatchObject({ code: 'upstream_error' });
  expect(seen.length).toBeGreaterThan(1);
});

const endings = (['fin', 'cut', 'reset'] as const).flatMap((ending) => unlike.map((pair) => ({ ...pair, ending })));
test.each(endings)(
  'G8: returns 502 to $caller over $kind for a response without a stream that ends early ($ending)',
  async ({ caller, kind, ending }) => {
    pairs.fakes[kind].next((request) => say(kind, request, reply, { stopAfter: { bytes: 150 }, ending }));
    const answer = await pairs.gateway.call(path[caller], { json: { model: modelOver(kind), ...question[caller] } });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 502,
      body: { error: { code: 'upstream_error' } },
    });
  },
);

test.each(unlike)(
  'F15: reads for $caller over $kind a stream in single bytes, with CRLF and no space, like a plain one',
  async ({ caller, kind }) => {
    const read = async (delivery: Delivery) => {
      pairs.fakes[kind].next((request) => say(kind, request, reply, delivery));
      const answer = await pairs.gateway.call(path[caller], { json: { model: modelOver(kind), ...question[caller], stream: true } });
      // Each answer has its own ids and times.
      return (await answer.text()).replace(/(resp|msg|rs|fc|chatcmpl)[_-][0-9a-f]{20,}|"(created|created_at|completed_at)":\d+/g, '');
    };
    const whole = await read({});
    expect(whole).toContain('🌍');
    expect(await read({ chunkBytes: 1, lineEnd: '\r\n', space: false })).toBe(whole);
  },
);
