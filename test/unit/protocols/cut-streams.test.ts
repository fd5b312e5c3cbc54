/** F01, F15: streams of upstreams that are cut at any byte: they end with one failure and never look complete before they are (promise G8). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openOrderCheck } from '../../../server/protocols/responses/order-check.ts';
import { readFrames } from '../../fakes/frames.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { expectBrokenResponses, readChat, readResponses } from '../../harness/transcript.ts';
import { manyRuns, positionsIn, share } from './arbitrary-values.ts';
import { isLike, type Pair, type Passed, pairs, pass } from './passing.ts';
import { answers, bytesOf, enough, framesOf, rich, variants } from './transcripts.ts';

type Objects = readonly unknown[];
const objectsIn = (out: string): Objects => readFrames(out).map(({ data }) => data);

function faultsOf(out: string): string[] {
  const check = openOrderCheck();
  return [...readResponses(out).events.map((event) => check.check(event)), check.end()].filter((fault) => fault !== null);
}

/** The number of frames at the end of a broken stream that are about the failure. */
const told = { chat: 1, responses: 3 } as const;

/** Expects one terminal event, a failure, after the beginning of the whole stream. */
function expectFailed(pair: Pair, { out, failure }: Passed, whole: Objects): void {
  expect(failure?.code).toBe('upstream_error');
  const objects = objectsIn(out);
  // In a forwarded responses stream the failure is answered with a status until the upstream has opened a response.
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

/** Expects a complete stream; only the usage of an upstream that tells it behind the end may be missing. */
function expectComplete(pair: Pair, { out }: Passed, whole: string): void {
  if (pair.kind !== 'chat' && pair.kind !== 'converse') {
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

  test('ends with one failure at each byte, and is complete only after the last needed byte', () => {
    const bytes = bytesOf(frames);
    const whole = pass(pair, [bytes]).out;
    const end = enough(pair.kind, frames);
    const cuts = positionsIn(bytes).map((at) => ({ at, passed: pass(pair, [bytes.subarray(0, at)]) }));
    // Cuts inside of one frame give the same result: each result is checked once.
    expect(cuts.filter(({ at, passed }) => (passed.failure === null) !== at >= end).map(({ at }) => at)).toEqual([]);
    const distinct = new Map(cuts.map(({ passed }) => [passed.out, passed]));
    expect(distinct.size).toBeGreaterThan(3);
    for (const passed of distinct.values()) {
      if (passed.failure === null) expectComplete(pair, passed, whole);
      else expectFailed(pair, passed, objectsIn(whole));
    }
    recordAttempts('G8', { what: 'cuts of a stream', times: cuts.length });
  });

  test('ends in the same way anywhere, in any framing', () => {
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
      manyRuns(100),
    );
  });
});
