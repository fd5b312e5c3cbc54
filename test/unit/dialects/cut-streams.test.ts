/** F01, F15: an upstream's stream that ends at any byte: it never looks complete before it is, and it ends in one honest failure (promise G8). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openOrderCheck } from '../../../server/dialects/responses/order.ts';
import { readFrames } from '../../fakes/frames.ts';
import { tried } from '../../harness/tally.ts';
import { expectBrokenResponses, readChat, readResponses } from '../../harness/transcript.ts';
import { runs, share } from './arbitrary-values.ts';
import { isLike, type Pair, type Passed, pairs, pass } from './passing.ts';
import { answers, bytesOf, enough, framesOf, rich, variants } from './transcripts.ts';

type Objects = readonly unknown[];
const objectsIn = (out: string): Objects => readFrames(out).map(({ data }) => data);

function faultsOf(out: string): string[] {
  const check = openOrderCheck();
  return [...readResponses(out).events.map((event) => check.see(event)), check.end()].filter((fault) => fault !== null);
}

/** How many frames at the end of a broken stream tell of the failure. */
const told = { chat: 1, responses: 3 } as const;

/** One terminal event, and it is a failure; what stands before it is what a whole stream begins with. */
function expectFailed(pair: Pair, { out, failure }: Passed, whole: Objects): void {
  expect(failure?.code).toBe('upstream_error');
  const objects = objectsIn(out);
  // The like pair has nothing to fail in before its upstream has opened a response: until then the failure is told by a status.
  const isOpen = !(isLike(pair) && pair.caller === 'responses' && objects.length < told.responses);
  if (isOpen) expect(objects.slice(0, -told[pair.caller])).toEqual(whole.slice(0, objects.length - told[pair.caller]));
  if (pair.caller === 'chat') {
    const { error, isDone, finishReason } = readChat(out);
    expect({ code: error?.code, isDone, finishReason }).toEqual({ code: 'upstream_error', isDone: false, finishReason: null });
  } else if (isOpen) {
    expect(expectBrokenResponses(out).code).toBe('upstream_error');
    expect(faultsOf(out)).toEqual([]);
  }
}

/** Of a complete stream only the usage of a chat upstream may be missing. */
function expectComplete(pair: Pair, { out }: Passed, whole: string): void {
  if (pair.kind !== 'chat') {
    expect(out).toBe(whole);
    return;
  }
  if (pair.caller === 'chat') {
    const { chunks, ...rest } = readChat(out);
    const { chunks: all, ...others } = readChat(whole);
    expect(rest).toEqual(others);
    expect(all.slice(0, chunks.length)).toEqual(chunks);
    expect(all.slice(chunks.length).flatMap(({ choices }) => choices)).toEqual([]);
    return;
  }
  const [last, best] = [readResponses(out).events.at(-1), readResponses(whole).events.at(-1)];
  if (last?.type !== 'response.completed' || best?.type !== 'response.completed') throw new Error('not complete');
  expect({ ...last.response, usage: null }).toEqual({ ...best.response, usage: null });
}

describe.each(pairs)('G8: a stream of a $kind upstream for a $caller caller that is cut', (pair) => {
  const frames = framesOf(pair.kind, rich);

  test('at every byte ends in one failure, and is complete only where the upstream had said all', () => {
    const bytes = bytesOf(frames);
    const whole = pass(pair, [bytes]).out;
    const end = enough(pair.kind, frames);
    const cuts = Array.from({ length: bytes.length }, (_, at) => ({ at, passed: pass(pair, [bytes.subarray(0, at)]) }));
    // Cuts inside of one frame come to the same: each kind of end is looked at once.
    expect(cuts.filter(({ at, passed }) => (passed.failure === null) !== at >= end).map(({ at }) => at)).toEqual([]);
    const distinct = new Map(cuts.map(({ passed }) => [passed.out, passed]));
    expect(distinct.size).toBeGreaterThan(3);
    for (const passed of distinct.values()) {
      if (passed.failure === null) expectComplete(pair, passed, whole);
      else expectFailed(pair, passed, objectsIn(whole));
    }
    tried('G8', { what: 'cuts of a stream', times: cuts.length });
  });

  test('anywhere in any other form ends in the same way', () => {
    fc.assert(
      fc.property(answers, fc.constantFrom(...variants), share, (said, { framing, change }, part) => {
        const written = change(framesOf(pair.kind, said));
        const bytes = bytesOf(written, framing);
        const at = Math.floor(part * (bytes.length - 1));
        const passed = pass(pair, [bytes.subarray(0, at)]);
        const whole = pass(pair, [bytes]).out;
        expect(passed.failure === null).toBe(at >= enough(pair.kind, written, framing));
        if (passed.failure !== null && !isLike(pair)) expectFailed(pair, passed, objectsIn(whole));
      }),
      runs(100),
    );
  });
});
