/** F15: the bytes of an upstream's stream in any pieces and any legal framing give the caller the same stream. */

import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RelayStream } from '../../../server/providers/relay-stream.ts';
import { readFrames } from '../../fakes/frames.ts';
import { readChat, readResponses } from '../../harness/transcript.ts';
import { writeLastFrames } from '../providers/last-frames.ts';
import { manyRuns, positionsIn } from './arbitrary-values.ts';
import { inBytes, inPieces, isLike, openReader, type Pair, pairs, pass } from './passing.ts';
import { answers, bytesOf, framesOf, rich, type Said, variants } from './transcripts.ts';

/** The objects that a caller reads; a forwarded stream keeps its comments, ids and event names. */
const objectsIn = (out: string) => readFrames(out).map(({ data }) => data);

function textOf({ caller }: Pair, out: string): string {
  return caller === 'chat' ? readChat(out).text : readResponses(out).text;
}

/** The inputs of the calls: text for a custom tool, and JSON otherwise and in a forwarded chat stream. */
const inputsOf = (pair: Pair, { calls }: Said): string[] =>
  calls.map(({ name, input }) => {
    const isFree = name === 'apply_patch' && !(isLike(pair) && pair.caller === 'chat');
    return isFree ? (input.input ?? '') : JSON.stringify(input);
  });

function inputsIn({ caller }: Pair, out: string): string[] {
  const inputs: string[] = [];
  if (caller === 'responses') {
    for (const event of readResponses(out).events) {
      if (event.type !== 'response.output_item.done') continue;
      if (event.item.type === 'function_call') inputs.push(event.item.arguments);
      if (event.item.type === 'custom_tool_call') inputs.push(event.item.input);
    }
    return inputs;
  }
  for (const delta of readChat(out).chunks.flatMap(({ choices }) => choices.flatMap((choice) => choice.delta.tool_calls ?? []))) {
    inputs[delta.index] = (inputs[delta.index] ?? '') + (delta.function?.arguments ?? delta.custom?.input ?? '');
  }
  return inputs;
}

describe.each(pairs)('a stream of a $kind upstream for a $caller caller', (pair) => {
  const frames = framesOf(pair.kind, rich);
  const bytes = bytesOf(frames);
  const whole = pass(pair, [bytes]);

  test('carries all text and calls of the upstream in one piece', () => {
    expect(whole.failure).toBeNull();
    expect(textOf(pair, whole.out)).toBe(rich.text?.join(''));
    expect(inputsIn(pair, whole.out)).toEqual(inputsOf(pair, rich));
  });

  test('stays the same byte by byte, and in two pieces split at any byte', () => {
    expect(pass(pair, inBytes(bytes))).toEqual(whole);
    const outputs = positionsIn(bytes).map((at) => pass(pair, [bytes.subarray(0, at), bytes.subarray(at)]).out);
    expect(outputs.filter((out) => out !== whole.out)).toEqual([]);
  });

  test.each(variants)('stays the same with $name, in one piece and byte by byte', ({ framing, change }) => {
    const written = bytesOf(change(frames), framing);
    for (const pieces of [[written], inBytes(written)]) {
      const { out, failure } = pass(pair, pieces);
      expect(failure).toBeNull();
      if (isLike(pair)) expect(objectsIn(out)).toEqual(objectsIn(whole.out));
      else expect(out).toBe(whole.out);
    }
  });

  test('stays the same after a byte order mark', () => {
    const marked = Buffer.concat([Buffer.from('\ufeff'), bytes]);
    for (const pieces of [[marked], inBytes(marked)]) expect(pass(pair, pieces)).toEqual(whole);
  });

  test('stays the same for any response, in any framing and any pieces', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(answers, fc.constantFrom(...variants), sizes, (said, { framing, change }, pieces) => {
        const plain = framesOf(pair.kind, said);
        const expected = pass(pair, [bytesOf(plain)]);
        expect(expected.failure).toBeNull();
        expect(textOf(pair, expected.out)).toBe(said.text?.join('') ?? '');
        expect(inputsIn(pair, expected.out)).toEqual(inputsOf(pair, said));
        const got = pass(pair, inPieces(bytesOf(change(plain), framing), pieces));
        expect(got.failure).toBeNull();
        expect(objectsIn(got.out)).toEqual(objectsIn(expected.out));
      }),
      manyRuns(60),
    );
  });

  test('stays the same through the real relay', async () => {
    const source = new PassThrough();
    const times = { heartbeatMs: 60_000, firstEventMs: 60_000, openingMs: 60_000 };
    const reader = openReader(pair);
    const relay = new RelayStream({
      source,
      reader,
      maxFrameBytes: 1024 * 1024,
      ...times,
      onEnd: (end) => writeLastFrames(reader, end),
    });
    const begun = relay.begin();
    for (const piece of inPieces(bytes, [7])) source.write(piece);
    source.end();
    await begun;
    expect((await buffer(relay)).toString()).toBe(whole.out);
  });
});
