/** Tool loops of five calls over every kind of upstream, with each way of keeping the conversation. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Kind, kinds, modelOver, type Pairs, seals } from '../harness/pairs.ts';
import { expectNoForeignSeals, finalAnswer, openLoops, runChat, runResponses, turns, ways } from './translation-loops.ts';

let data: string;
let pairs: Pairs;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'modelgate-loop-'));
  pairs = await openLoops(data);
});
afterAll(async () => {
  await pairs.close();
  await rm(data, { recursive: true, force: true });
});
beforeEach(() => {
  for (const kind of kinds) pairs.fakes[kind].requests.length = 0;
});

const forms = [false, true].flatMap((isStream) => kinds.map((kind) => ({ kind, isStream, form: isStream ? 'streamed' : 'whole' })));
/** Together, each kind follows each other kind. */
const mixed: readonly Kind[] = ['anthropic', 'responses', 'gemini', 'chat', 'anthropic', 'gemini'];
const otherwise: readonly Kind[] = ['responses', 'chat', 'responses', 'anthropic', 'chat', 'responses'];

describe.each(forms)('over $kind, $form', ({ kind, isStream }) => {
  test.each(ways)('F10: ends a loop of five calls with its answer, with %s', async (way) => {
    expect(await runResponses(pairs, way, { over: [kind], isStream })).toBe(finalAnswer);
    expect(pairs.fakes[kind].requests).toHaveLength(turns + 1);
    expectNoForeignSeals(pairs);
  });

  test('ends the same loop of a chat caller with the same answer', async () => {
    expect(await runChat(pairs, { over: [kind], isStream })).toBe(finalAnswer);
  });
});

describe.each([
  { over: mixed, isStream: false },
  { over: mixed, isStream: true },
  { over: otherwise, isStream: false },
  { over: otherwise, isStream: true },
])('the upstream changes between the turns: $over (streamed: $isStream)', (loop) => {
  test.each(ways)('F12: returns the same answer with %s, and sends encrypted reasoning only to the provider that made it', async (way) => {
    expect(await runResponses(pairs, way, loop)).toBe(finalAnswer);
    expectNoForeignSeals(pairs);
  });

  test('F12: sends stored reasoning only to the provider that made it', async () => {
    expect(await runResponses(pairs, 'previous_response_id', { ...loop, reasoning: { effort: 'low' } })).toBe(finalAnswer);
    expectNoForeignSeals(pairs);
  });

  test('returns the same answer to a chat caller', async () => {
    expect(await runChat(pairs, loop)).toBe(finalAnswer);
  });
});

describe('the gateway is restarted between two turns', () => {
  let ended = 0;
  /** Once in each loop: between its third and its fourth turn. */
  const between = () => (++ended % turns === 3 ? pairs.restart() : Promise.resolve());
  test.each(kinds)('returns the same answer over %s', async (kind) => {
    expect(await runResponses(pairs, 'previous_response_id', { over: [kind], isStream: false, between })).toBe(finalAnswer);
  });

  test.each(ways)('returns the same answer over upstreams that change, with %s', async (way) => {
    expect(await runResponses(pairs, way, { over: mixed, isStream: true, between })).toBe(finalAnswer);
  });
});

const asking = kinds.flatMap((kind) => [{}, { reasoning: { effort: 'low' } } as const].map((asked) => ({ kind, asked })));
test.each(asking)('F10: sends earlier reasoning back on each turn over $kind, except over chat, with $asked', async ({ kind, asked }) => {
  await runResponses(pairs, 'previous_response_id', { over: [kind], isStream: true, ...asked });
  if (kind === 'chat') return expect(pairs.fakes.chat.last.body.toString()).not.toContain('I am at');
  const seen = pairs.fakes[kind].requests.map(({ body }) => body.toString().split(seals[kind]).length - 1);
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
});

test('F14: sends a responses upstream the items of a caller without reasoning that is not encrypted', async () => {
  const input = [
    { role: 'user', content: 'Hello' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
    },
    { role: 'user', content: 'Go on.' },
  ];
  expect((await pairs.gateway.call('/responses', { json: { model: modelOver('responses'), input } })).status).toBe(200);
  const sent = JSON.stringify(pairs.fakes.responses.last.fields.input);
  expect(sent).toContain('Go on.');
  expect(sent).not.toContain('"reasoning"');
});
