/** The events of an answer, written as a stream and read again, are the same but for the listed losses. */
import fc from 'fast-check';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { accumulateResponse } from 'openai/lib/responses/ResponseAccumulator';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { chatCallerDialect, chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { responsesCallerDialect, responsesUpstreamDialect } from '../../../server/protocols/responses/dialect.ts';
import { openOrderCheck } from '../../../server/protocols/responses/order-check.ts';
import { parseFrame } from '../../../server/protocols/wire/frames.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { expectBrokenResponses, readChat, readResponses } from '../../harness/transcript.ts';
import { cutAnswers, failedAnswers, finishedAnswers } from './arbitrary-events.ts';
import { manyRuns, runs } from './arbitrary-values.ts';
import type { Wire } from './caller-frames.ts';
import { chatEventLosses, type EventLoss, responsesEventLosses, withCodes, withKnownCodes } from './event-losses.ts';
import { withoutDefaultTier } from './fixture-answers.ts';
import { chatTurn, join, readStream, responsesTurn } from './upstream-reading.ts';

const request = { chat: { stream_options: { include_usage: true } }, responses: { include: ['reasoning.encrypted_content'] } } as const;
const protocols = {
  chat: { caller: chatCallerDialect, upstream: chatUpstreamDialect, turn: chatTurn(), prefix: 'chatcmpl', losses: chatEventLosses },
  responses: {
    caller: responsesCallerDialect,
    upstream: responsesUpstreamDialect,
    turn: responsesTurn(),
    prefix: 'resp',
    losses: responsesEventLosses,
  },
} as const;
type Protocol = keyof typeof protocols;
const names = ['chat', 'responses'] as const;

const headOf = (protocol: Protocol) => createHead(protocols[protocol].prefix, request[protocol]);

function streamOf(events: readonly CanonicalEvent[], protocol: Protocol): string {
  const writer = protocols[protocol].caller.openStream(headOf(protocol));
  return Buffer.concat([...events.map((event) => writer.write(event)), writer.end()]).toString();
}

/** The objects of a stream. JSON escapes line ends, so that blank lines separate frames. */
const objectsOf = (stream: string): Wire[] =>
  stream.split(/(?<=\n\n)/).flatMap((frame) => {
    const object = parseFrame(Buffer.from(frame));
    return object === null ? [] : [object];
  });

function readAgain(events: readonly CanonicalEvent[], protocol: Protocol): CanonicalEvent[] {
  const { upstream, turn } = protocols[protocol];
  const read = readStream(
    upstream,
    turn,
    objectsOf(streamOf(events, protocol)).map((object) => [object, null] as const),
  );
  return read.map((event) => (event.kind === 'usage' ? { ...event, usage: withoutDefaultTier(event.usage) } : event));
}
const without = (events: readonly CanonicalEvent[], losses: readonly EventLoss[]) =>
  losses.reduce((left, { apply }) => apply(left), events);

describe.each(names)('a %s stream of the events of a response', (protocol) => {
  const { losses } = protocols[protocol];

  test('keeps all but the listed losses when read again', () => {
    fc.assert(
      fc.property(finishedAnswers, (events) => {
        expect(readAgain(events, protocol)).toEqual(without(events, losses));
      }),
      manyRuns(700),
    );
  });

  test("F01: ends with the code of a failure, and with upstream_error when it's cut", () => {
    fc.assert(
      fc.property(failedAnswers, (events) => {
        const code = withKnownCodes(events).at(-1);
        expect(withCodes(readAgain(events, protocol)).at(-1)).toEqual(code);
      }),
      manyRuns(200),
    );
    fc.assert(
      fc.property(cutAnswers, (events) => {
        expect(withCodes(readAgain(events, protocol)).at(-1)).toMatchObject({ kind: 'failed', code: 'upstream_error' });
      }),
      manyRuns(200),
    );
  });

  const sample = fc.sample(finishedAnswers, runs(300)).map((events) => ({ events, read: join(readAgain(events, protocol)) }));
  test.each(losses.map((loss, at) => ({ ...loss, at })))('needs this listed loss: $what ($why)', ({ at }) => {
    const others = losses.toSpliced(at, 1);
    expect(sample.some(({ events, read }) => !isAlike(read, join(without(events, others))))).toBe(true);
  });
});

function isAlike(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}

const codeOf = (events: readonly CanonicalEvent[]): string => {
  const failed = events.find((event) => event.kind === 'failed');
  return failed?.error.code ?? 'upstream_error';
};
const faultsOf = (objects: readonly Record<string, unknown>[]): string[] => {
  const check = openOrderCheck();
  return [...objects.map((event) => check.check(event)), check.end()].filter((fault) => fault !== null);
};
const onWire = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('F01, F11: a responses stream of any answer', () => {
  test('keeps a legal order, consecutive numbers, and events that fit the contract', () => {
    fc.assert(
      fc.property(fc.oneof(finishedAnswers, failedAnswers, cutAnswers), (events) => {
        const stream = streamOf(events, 'responses');
        expect(faultsOf(objectsOf(stream))).toEqual([]);
        const { types, isDone } = readResponses(stream);
        expect(types.filter((type) => /^response\.(completed|incomplete|failed)$/.test(type))).toHaveLength(1);
        expect(isDone).toBe(true);
      }),
      manyRuns(300),
    );
  });

  test('ends with the whole response, which is what the SDK accumulates', () => {
    fc.assert(
      fc.property(finishedAnswers, (events) => {
        // The objects are the JSON of the wire.
        const objects = objectsOf(streamOf(events, 'responses')) as unknown as ResponseStreamEvent[];
        const whole = onWire(responsesCallerDialect.writeResponse(events, headOf('responses')));
        const { response } = objects.at(-1) as { response: Response };
        expect(response).toEqual(whole);
        const grown = objects
          .slice(0, -1)
          .reduce<Response | undefined>((snapshot, event) => accumulateResponse(event, snapshot), undefined);
        expect(onWire(grown?.output)).toEqual(whole.output);
      }),
      manyRuns(200),
    );
  });

  test('ends with response.failed and the output so far when it fails or is cut', () => {
    fc.assert(
      fc.property(fc.oneof(failedAnswers, cutAnswers), (events) => {
        const stream = streamOf(events, 'responses');
        expectBrokenResponses(stream);
        expect(() => responsesCallerDialect.writeResponse(events, headOf('responses'))).toThrow();
      }),
      manyRuns(150),
    );
  });
});

describe('F01, F06: a chat stream of any answer', () => {
  test('accumulates in the SDK to the whole completion', async () => {
    await fc.assert(
      fc.asyncProperty(finishedAnswers, async (events) => {
        const stream = streamOf(events, 'chat');
        const { isDone, error } = readChat(stream);
        expect({ isDone, error }).toEqual({ isDone: true, error: null });
        const lines = objectsOf(stream).map((object) => `${JSON.stringify(object)}\n`);
        const final = onWire(
          await ChatCompletionStream.fromReadableStream(ReadableStream.from(lines.map((line) => Buffer.from(line)))).finalChatCompletion(),
        );
        const whole = onWire(chatCallerDialect.writeResponse(events, headOf('chat')));
        const [{ message, finish_reason, logprobs }] = whole.choices;
        expect(final.choices[0].finish_reason).toBe(finish_reason);
        expect(final.choices[0].message.content ?? '').toBe(message.content ?? '');
        expect(final.choices[0].message.refusal ?? null).toBe(message.refusal);
        expect(final.choices[0].message.tool_calls ?? []).toMatchObject(message.tool_calls ?? []);
        expect(final.choices[0].logprobs?.content ?? null).toEqual(logprobs?.content ?? null);
        expect(final.usage ?? null).toEqual(whole.usage ?? null);
      }),
      manyRuns(150),
    );
  });

  test('numbers its calls from 0, each with its ID and name once', () => {
    fc.assert(
      fc.property(finishedAnswers, (events) => {
        const deltas = readChat(streamOf(events, 'chat')).chunks.flatMap(({ choices }) =>
          choices.flatMap(({ delta }) => delta.tool_calls ?? []),
        );
        const opened = deltas.filter(({ id }) => id !== undefined);
        const calls = events.filter((event) => event.kind === 'call');
        expect(opened.map(({ index }) => index)).toEqual(calls.map((_, index) => index));
        expect(opened.map(({ id }) => id)).toEqual(calls.map(({ callId }) => callId));
        for (const { index, form } of calls) {
          const told = events.flatMap((event) => (event.kind === 'arguments' && event.index === index ? [event.text] : [])).join('');
          const got = deltas
            .filter((delta) => delta.index === index)
            .map((delta) => delta.function?.arguments ?? delta.custom?.input ?? '');
          // A call without arguments gets `{}`, unless it was cut.
          if (told !== '' || form === 'custom') expect(got.join('')).toBe(told);
        }
      }),
      manyRuns(200),
    );
  });

  test('ends with one error when it fails or is cut', () => {
    fc.assert(
      fc.property(fc.oneof(failedAnswers, cutAnswers), (events) => {
        const { error, isDone, finishReason } = readChat(streamOf(events, 'chat'));
        expect({ code: error?.code, isDone, finishReason }).toEqual({ code: codeOf(events), isDone: false, finishReason: null });
        expect(() => chatCallerDialect.writeResponse(events, headOf('chat'))).toThrow();
      }),
      manyRuns(150),
    );
  });
});
