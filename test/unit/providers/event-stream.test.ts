/** AWS's event stream: however it is cut, whatever is wrong in it, and as the frames that readers of dialects know. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { AwsEventStreamReader } from '../../../server/providers/aws-event-stream.ts';
import { collectBody } from '../../../server/providers/collect.ts';
import { toSseResponse } from '../../../server/providers/sse-response.ts';
import { eventMessage, exceptionMessage, framed, modelEvent } from '../../fakes/event-stream.ts';

const events = [{ type: 'message_start' }, { type: 'ping', text: 'Grüße 🙂' }, { type: 'message_stop' }];
const whole = Buffer.concat(events.map(modelEvent));
const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const cutBy = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));

/** As a reader of a dialect gets it. */
const asSse = (chunks: readonly Buffer[], type = 'application/vnd.amazon.eventstream') =>
  toSseResponse({ status: 200, headers: { 'content-type': type }, body: Readable.from(chunks, { objectMode: false }) });

const textOf = async (chunks: readonly Buffer[]): Promise<string> => (await collectBody(asSse(chunks).body, 1_000_000)).toString();

/** The reader's own sums were not used: bytes that AWS publishes with its codec, of a message without headers and payload. */
test('reads the shortest message of sixteen bytes', () => {
  const bytes = Buffer.from('000000100000000005c248eb7d98c8ff', 'hex');
  const [message] = new AwsEventStreamReader().push(bytes);
  expect([message?.headers.size, message?.payload.length]).toEqual([0, 0]);
  expect(eventMessage({})).toEqual(bytes);
});

test('reads the same frames at every cut', async () => {
  for (let size = 1; size <= whole.length; size++) expect([size, await textOf(cutBy(whole, size))]).toEqual([size, frames]);
});

test('finds every flipped bit', () => {
  const bytes = modelEvent({ type: 'ping' });
  const isFound = (bit: number): boolean => {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const reader = new AwsEventStreamReader();
    try {
      return reader.push(flipped).length === 0 && reader.hasPartialMessage;
    } catch {
      return true;
    }
  };
  expect(Array.from({ length: bytes.length * 8 }, (_, bit) => bit).filter((bit) => !isFound(bit))).toEqual([]);
});

test('throws at an end inside a message, wherever it is', async () => {
  const edges = new Set(events.map((_, index) => Buffer.concat(events.slice(0, index + 1).map(modelEvent)).length));
  for (let length = 1; length < whole.length; length++) {
    const ended = textOf([whole.subarray(0, length)]).then(
      () => 'whole',
      (cause: Error) => cause.message,
    );
    expect([length, await ended]).toEqual([length, edges.has(length) ? 'whole' : 'The event stream ended inside a message.']);
  }
});

test('skips headers of all types, and throws for a value longer than the headers', () => {
  const values = [
    '00',
    '01',
    '02ff',
    '030102',
    '0401020304',
    '050102030405060708',
    '06000161',
    '080102030405060708',
    `09${'ab'.repeat(16)}`,
  ];
  const odd = Buffer.from(values.map((value) => `0161${value}`).join(''), 'hex');
  const [message] = new AwsEventStreamReader().push(withHeaders(Buffer.concat([odd, Buffer.from('0162070001', 'hex'), Buffer.from('x')])));
  expect([...(message?.headers ?? [])]).toEqual([['b', 'x']]);
  for (const wrong of ['01', '0161', '016107', '01610700', '0161070002ff', '016104ff', '01610a'])
    expect(() => new AwsEventStreamReader().push(withHeaders(Buffer.from(wrong, 'hex')))).toThrow('The event stream is invalid');
});

test('rejects a message that is too long by its opening', () => {
  const opening = eventMessage({}, Buffer.alloc(16 * 1024 * 1024)).subarray(0, 12);
  expect(() => new AwsEventStreamReader().push(opening)).toThrow('a message has an invalid length of 16777232 bytes');
});

describe('an exception', () => {
  const failure = (type: string, message: string): string =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`;

  test.each([
    ['throttlingException', 'rate_limit_error'],
    ['validationException', 'invalid_request_error'],
    ['modelTimeoutException', 'timeout_error'],
    ['serviceUnavailableException', 'overloaded_error'],
    ['modelStreamErrorException', 'api_error'],
    ['internalServerException', 'api_error'],
    ['somethingNewException', 'api_error'],
  ])('turns %s into %s: first, in the middle, and last', async (name, type) => {
    const said = failure(type, 'Too many tokens.');
    for (const at of [0, 1, 3]) {
      const messages = events.map(modelEvent).toSpliced(at, 0, exceptionMessage(name, 'Too many tokens.'));
      const told = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).toSpliced(at, 0, said);
      expect(await textOf(messages)).toBe(told.join(''));
    }
  });

  test('counts as one if it comes as an event, or in headers alone', async () => {
    const asEvent = eventMessage({ ':message-type': 'event', ':event-type': 'throttlingException' }, '{"message":"Slow down."}');
    const inHeaders = eventMessage({ ':message-type': 'error', ':error-code': 'internalServerException', ':error-message': 'Broken.' });
    expect(await textOf([asEvent, inHeaders])).toBe(failure('rate_limit_error', 'Slow down.') + failure('api_error', 'Broken.'));
  });
});

test('keeps the name of an event, as in Converse, skips a strange one, and throws for broken JSON', async () => {
  const event = { ':message-type': 'event', ':event-type': 'messageStop' };
  expect(await textOf([eventMessage(event, '{"stopReason":\n"end_turn"}'), whole])).toBe(
    `data: {"messageStop":{"stopReason": "end_turn"}}\n\n${frames}`,
  );
  expect(await textOf([eventMessage({ ...event, ':event-type': 'a\n\ndata: b' }, '{}'), whole])).toBe(frames);
  await expect(textOf([eventMessage({ ...event, ':event-type': 'chunk' }, '{"bytes":')])).rejects.toThrow();
});

test('keeps a response of another type as it is', () => {
  const answer = { status: 400, headers: { 'content-type': 'application/json' }, body: Readable.from([]) };
  expect(toSseResponse(answer)).toBe(answer);
  expect(asSse([]).headers).toEqual({ 'content-type': 'text/event-stream' });
});

const withHeaders = (bytes: Buffer): Buffer => framed(bytes, Buffer.alloc(0));
