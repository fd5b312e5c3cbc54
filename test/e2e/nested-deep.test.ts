/** JSON of callers and vendors that is nested too deep: it is rejected or fails the call, is charged rightly, and frees its slot (promises G2 to G4). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MAX_LEVELS } from '../../contract/shared/bounds.ts';
import type { ChargeRecord, LedgerStore } from '../../server/money/store.ts';
import { body, json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { frameBytes } from '../fakes/frames.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { holdTimersOf } from '../harness/held-clock.ts';
import { framesOf, isStreamed, kinds, modelOver, openPairs, type Pairs, say } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

let pairs: Pairs;
let ledger: LedgerStore;
beforeAll(async () => {
  pairs = await openPairs({ settings: { validateResponses: false, limits: { perKey: { concurrency: 1 } } } });
  ledger = pairs.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
});
afterEach(async () => {
  // The concurrency limit is one: if an earlier call had kept its slot, this one would be rejected.
  pairs.expectToSay('chat', { text: 'still here' });
  const answer = await post('/chat/completions', `{"model":"over-chat","messages":[{"role":"user","content":"hello"}]}`);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('still here')]);
  expect(await ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
});
afterAll(() => pairs.close());

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const quoted = (text: string): string => JSON.stringify(text);

let keys = 0;
const post = (path: string, text: string): Promise<Response> =>
  pairs.gateway.call(path, { body: text, headers: { 'content-type': 'application/json', 'idempotency-key': `key-${++keys}` } });

function signal(): { readonly done: Promise<void>; tell(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { done: promise, tell: resolve };
}

const chargeOf = (answer: Response): Promise<ChargeRecord> => endedCharge(ledger, answer.headers.get('x-request-id') ?? '');

describe.each([
  ['lists', lists],
  ['objects', objects],
])('a caller who nests %s', (_, nested) => {
  test.each([3_000, 50_000])('gets an error at %i levels that names the field, and no charge', async (levels) => {
    const deep = nested(levels);
    const bodies: readonly (readonly [string, string, string])[] = [
      ['/chat/completions', 'later', `{"model":"over-chat","messages":[{"role":"user","content":"hello"}],"later":${deep}}`],
      [
        '/chat/completions',
        'messages',
        `{"model":"over-gemini","stream":true,"messages":[{"role":"user","content":"hello","later":${deep}}]}`,
      ],
      ['/responses', 'tools', `{"model":"over-anthropic","input":"hello","tools":[{"type":"web_search","later":${deep}}]}`],
      [
        '/responses',
        'input',
        `{"model":"over-responses","stream":true,"input":[{"role":"user","content":"data:image/png","later":${deep}}]}`,
      ],
      ['/images/generations', 'later', `{"model":"gpt-image-2","prompt":"a hat","later":${deep}}`],
      ['/images/edits', 'later', `{"model":"gpt-image-2","prompt":"a hat","images":[],"later":${deep}}`],
    ];
    for (const [path, param, text] of bodies) {
      const answer = await post(path, text);
      await expectRefusal(answer, { code: 'invalid_value', param, says: '500 levels' });
      expect(await ledger.findCharge(answer.headers.get('x-request-id') ?? '')).toBeUndefined();
    }
  });

  test('gets the maximum depth served over every upstream, stored, continued and charged', async () => {
    // The body, its list and its item are three levels.
    const deep = nested(MAX_LEVELS - 3);
    for (const kind of kinds) {
      pairs.expectToSay(kind, { text: 'one' }, { text: 'two' });
      const first = await post('/responses', `{"model":"${modelOver(kind)}","input":[{"role":"user","content":"hello","later":${deep}}]}`);
      expect(first.status).toBe(200);
      expect(await chargeOf(first)).toMatchObject({ state: 'posted' });
      const { id } = (await first.json()) as { id: string };
      const next = `{"model":"${modelOver(kind)}","previous_response_id":"${id}","input":[{"role":"user","content":"on","later":${deep}}]}`;
      const second = await post('/responses', next);
      expect([second.status, await second.text()]).toEqual([200, expect.stringContaining('two')]);
      expect(await chargeOf(second)).toMatchObject({ state: 'posted' });
    }
  });

  test.each(['anthropic', 'gemini'] as const)(
    'gets an error that names the item when the arguments of an earlier tool call are too deep (%s)',
    async (kind) => {
      const call = `{"type":"function_call","call_id":"c1","name":"f","arguments":${quoted(`{"x":${nested(3_000)}}`)}}`;
      const input = `[{"role":"user","content":"data:image/png"},${call},{"type":"function_call_output","call_id":"c1","output":"r"}]`;
      const answer = await post('/responses', `{"model":"${modelOver(kind)}","input":${input}}`);
      await expectRefusal(answer, { code: 'invalid_value', param: 'input[1]', says: `${MAX_LEVELS} levels` });
    },
  );

  test('gets a response when encrypted reasoning is deep inside', async () => {
    const sealed = `{"provider":"anthropic","blocks":[{"type":"thinking","thinking":"t","signature":"s","later":${nested(3_000)}}]}`;
    const thought = `{"type":"reasoning","summary":[],"encrypted_content":"mg1.anthropic.${Buffer.from(sealed).toString('base64url')}"}`;
    pairs.expectToSay('anthropic', { text: 'fine' });
    const input = `[{"role":"user","content":"data:image/png"},${thought},{"role":"assistant","content":"a"},{"role":"user","content":"b"}]`;
    const answer = await post('/responses', `{"model":"over-anthropic","input":${input}}`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('fine')]);
  });
});

/** The usual answer of a vendor, with a field added at the beginning of each of its objects. */
function saidWith(request: FakeRequest, kind: (typeof kinds)[number], added: string): Script {
  const reply = { text: 'ok fine' };
  const put = (text: string) => text.replaceAll(/^(data: )?\{/gm, (opening) => `${opening}${added},`);
  if (isStreamed(kind, request)) {
    const frames = framesOf(kind, request, reply).map((frame) => put(frameBytes(frame).toString()));
    return body(frames.join(''), 'text/event-stream');
  }
  const [, written] = say(kind, request, reply);
  return written?.kind === 'write' ? json(put(Buffer.from(written.bytes).toString())) : expect.fail('nothing is written');
}

describe.each(kinds)('a provider of %s that nests an unknown field too deep', (kind) => {
  test.each([
    ['/chat/completions', false],
    ['/chat/completions', true],
    ['/responses', false],
    ['/responses', true],
  ])('fails the call on %s with upstream_error (stream: %s)', async (path, isStream) => {
    for (const deep of [lists(5_000), objects(5_000), lists(100_000)]) {
      pairs.fakes[kind].next((request) => saidWith(request, kind, `"later":${deep}`));
      const asked = path === '/responses' ? '"input":"hello"' : '"messages":[{"role":"user","content":"hello"}]';
      const answer = await pairs.gateway.call(path, {
        body: `{"model":"${modelOver(kind)}","stream":${isStream},${asked}}`,
        headers: { 'content-type': 'application/json' },
      });
      // A stream that is forwarded unchanged may have begun: then its last event is the error.
      if (answer.headers.get('content-type')?.startsWith('text/event-stream'))
        expect(await answer.text()).toContain('"code":"upstream_error"');
      else await expectRefusal(answer, { code: 'upstream_error' });
      expect((await chargeOf(answer)).state).toMatch(/^(?:posted|voided)$/);
    }
  });
});

test('ends a stream with response.failed when its terminal event is nested too deep, and estimates its charge', async () => {
  const [last, ...before] = responseFrames({ text: ['hello ', 'you'] }).toReversed();
  const end = last === undefined ? expect.fail('no frames') : frameBytes(last).toString();
  const shown = signal();
  const raw = end.replace('{', `{"later":${lists(5_000)},`);
  pairs.fakes.responses.next(stream([...before.toReversed(), { until: shown.done }, { raw }]));
  const answer = await post('/responses', '{"model":"over-responses","stream":true,"input":"hello"}');
  shown.tell();
  const text = await answer.text();
  expect(text).toContain('hello ');
  expect(text).toContain('event: response.failed');
  expect(text).not.toContain('event: response.completed');
  expect(await chargeOf(answer)).toMatchObject({ state: 'posted', isEstimated: true });
});

test('returns upstream_error for a responses stream whose first event is nested too deep', async () => {
  const [first, ...rest] = responseFrames({ text: ['hello ', 'you'] });
  const opening = first === undefined ? expect.fail('no frames') : frameBytes(first).toString();
  const raw = opening.replace('"response":{', `"response":{"later":${lists(5_000)},`);
  pairs.fakes.responses.next(stream([{ raw }, ...rest.slice(0, 4)]));
  const answer = await post('/responses', '{"model":"over-responses","stream":true,"store":false,"input":"hello"}');
  await expectRefusal(answer, { code: 'upstream_error' });
});

test('returns upstream_error for a large response with invalid JSON in its middle', async () => {
  const whole = JSON.stringify({ ...response({ text: 'hello' }), pad: 'x'.repeat(1_100_000) });
  const { usage } = response({ text: 'hello' });
  pairs.fakes.responses.next(json(`${whole.slice(0, -1)},"later":[[,"usage":${JSON.stringify(usage)}}`));
  await expectRefusal(await post('/responses', '{"model":"over-responses","input":"hello"}'), { code: 'upstream_error' });
});

test('forwards the start of a stream for a caller with many tools before the provider sends the remainder', async () => {
  const properties = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`field_${index}`, { type: 'string' }]));
  const tools = [{ type: 'function', name: 'f', parameters: { type: 'object', properties } }];
  const heard = signal();
  pairs.fakes.chat.next((request) => {
    const [first, second, ...rest] = framesOf('chat', request, { text: ['hello ', 'you'] });
    return stream([...(first ? [first] : []), ...(second ? [second] : []), { until: heard.done }, ...rest]);
  });
  // The first events repeat the tools, which are more than a stream buffers. Without output they are held back for two seconds; the held timer makes that for ever.
  holdTimersOf(2_000);
  const answer = await pairs.gateway.call('/responses', { json: { model: 'over-chat', stream: true, input: 'hello', tools } });
  heard.tell();
  expect(await answer.text()).toContain('event: response.completed');
});
