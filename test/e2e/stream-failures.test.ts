/** Known failures in streams that no other file tests: second attempts, and headers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readFrames } from '../fakes/frames.ts';
import { type Caller, callers, framesOf, type Kind, kinds, modelOver, openPairs, type Pairs, streamOver } from '../harness/pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
beforeEach(() => {
  for (const kind of kinds) pairs.fakes[kind].clear();
});
afterAll(() => pairs.close());

const path = { chat: '/chat/completions', responses: '/responses' } as const;
const question = { chat: { messages: [{ role: 'user', content: 'Hi' }] }, responses: { input: 'Hi' } } as const;
const ways = callers.flatMap((caller) => kinds.map((kind) => ({ caller, kind })));
const ask = (caller: Caller, kind: Kind, more: object = {}) =>
  pairs.gateway.call(path[caller], { json: { model: modelOver(kind), stream: true, ...question[caller], ...more } });

const reply = { text: ['One, ', 'two, ', 'three.'] };
/** The `type` of each event; chunks of chat have none. */
const typesIn = (text: string) =>
  readFrames(text).map(({ data }) => (typeof data === 'object' && data !== null && 'type' in data ? String(data.type) : ''));

describe.each(ways)('$caller over $kind', ({ caller, kind }) => {
  test('F03: a stream that breaks after output is not retried, and no second answer follows', async () => {
    const { [kind]: fake } = pairs.fakes;
    fake.next((request) => {
      const frames = framesOf(kind, request, reply);
      const spoken = frames.findIndex((frame) => JSON.stringify(frame).includes('two, '));
      return streamOver(kind, frames.slice(0, spoken + 1), { ending: 'cut' });
    });
    // The answer to a second attempt.
    fake.always((request) => streamOver(kind, framesOf(kind, request, { text: ['Another ', 'answer.'] })));
    const answer = await ask(caller, kind);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain('two, ');
    expect(text).not.toContain('Another ');
    expect(fake.requests).toHaveLength(1);
    if (caller === 'chat') return expect(text).not.toMatch(/\[DONE\]|"finish_reason":"/);
    const types = typesIn(text);
    expect(types.filter((type) => type === 'response.created')).toHaveLength(1);
    expect(types.filter((type) => /^response\.(completed|incomplete|failed)$/.test(type))).toEqual(['response.failed']);
  });

  test('F18: a stream has the headers of the gateway and none of the vendor', async () => {
    const { [kind]: fake } = pairs.fakes;
    const headers = {
      'x-request-id': 'req_vendor',
      'openai-model': 'other',
      'set-cookie': ['a=1', 'b=2'],
      server: 'vendor',
      'x-powered-by': 'vendor',
      'cache-control': 'public',
      'x-modelgate-dropped': 'nothing',
      'content-encoding': 'identity',
      connection: 'close',
    };
    fake.next((request) => streamOver(kind, framesOf(kind, request, reply), { headers }));
    const answer = await ask(caller, kind, { newest_field: 1 });
    expect(await answer.text()).toContain('three.');
    const names = [
      'cache-control',
      'connection',
      'content-type',
      'date',
      'keep-alive',
      'transfer-encoding',
      'x-accel-buffering',
      'x-modelgate-attempts',
      'x-request-id',
    ];
    // A vendor of the same protocol gets the field, which may be newer than this gateway.
    const dropped = caller === kind ? null : 'newest_field';
    expect([...answer.headers.keys()].sort()).toEqual([...names, ...(dropped ? ['x-modelgate-dropped'] : [])].sort());
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(answer.headers.get('cache-control')).not.toContain('public');
    expect(answer.headers.get('x-modelgate-dropped')).toBe(dropped);
  });
});
