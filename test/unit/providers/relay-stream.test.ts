/** A stream from an upstream to a caller, bytes in and bytes out on a clock of the test: waits, pauses and heartbeats (promises G5, G6, G7 and G8, F17). */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { chatRelay } from '../../../server/protocols/chat/relay.ts';
import { responsesRelay } from '../../../server/protocols/responses/relay.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { type RelayOptions, RelayStream } from '../../../server/providers/relay-stream.ts';
import { chatFrames } from '../../fakes/chat.ts';
import { frameBytes, type SseEvent } from '../../fakes/frames.ts';
import { responseFrames } from '../../fakes/responses.ts';
import { writeLastFrames } from './last-frames.ts';

const names = { requested: 'm', upstream: 'm' };
const readers = {
  chat: () => chatRelay.readStream(createJsonBody({ model: 'm', stream: true }), names),
  responses: () => responsesRelay.readStream(createJsonBody({ model: 'm', stream: true }), names),
};

const heartbeatMs = 15_000;
const firstEventMs = 5_000;
const openingMs = 2_000;

type Order = Partial<RelayOptions> & { readonly protocol?: keyof typeof readers };

/** Waits for four turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await nextTurn();
}

function openRelay({ protocol = 'chat', reader = readers[protocol](), ...changes }: Order = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const source = new Readable({ read: () => undefined });
  const stream = new RelayStream({
    source,
    reader,
    maxFrameBytes: 1_000_000,
    heartbeatMs,
    firstEventMs,
    openingMs,
    onEnd: (end) => writeLastFrames(reader, end),
    ...changes,
  });
  /** The result of `begin`; undefined while it waits. */
  const begun: { how: unknown } = { how: undefined };
  stream.begin().then(
    () => {
      begun.how = 'shown';
    },
    (error: unknown) => {
      begun.how = error;
    },
  );
  stream.on('error', () => undefined);
  const chunks: Buffer[] = [];
  return {
    source,
    stream,
    begun,
    read: () => Buffer.concat(chunks).toString(),
    /** Sends frames from the upstream; resolves when they were processed. */
    async say(...frames: readonly (SseEvent | string)[]) {
      source.push(Buffer.concat(frames.map((frame) => (typeof frame === 'string' ? Buffer.from(frame) : frameBytes(frame)))));
      await turns();
    },
    async pass(ms: number) {
      await vi.advanceTimersByTimeAsync(ms);
      await turns();
    },
    /** The caller begins to read. */
    listen: () => void stream.on('data', (chunk: Buffer) => void chunks.push(chunk)),
  };
}

const frames = chatFrames({ text: ['one ', 'two '] });
const [role = {}, one = {}, two = {}, finish = {}, done = {}] = frames;
const [created = {}, inProgress = {}] = responseFrames({ text: ['one ', 'two '] });
const comment = { comment: 'processing' };

describe('G5: a stream', () => {
  test('starts with its first event, without the comments before', async () => {
    const { begun, say, listen, read } = openRelay();
    await say(comment);
    await say(comment);
    expect(begun.how).toBeUndefined();
    await say(role);
    expect(begun.how).toBe('shown');
    listen();
    await turns();
    // Comments before the first event are dropped, so that they do not fill the buffer.
    expect(read()).not.toContain('processing');
    await say(one, comment);
    expect(read()).toContain('one ');
    expect(read()).toContain('processing');
  });

  test('starts with its opening events only after openingMs, counted from the first one', async () => {
    const { begun, say, pass } = openRelay({ protocol: 'responses' });
    await say(created);
    await pass(openingMs - 1);
    await say(inProgress);
    expect(begun.how).toBeUndefined();
    await pass(1);
    expect(begun.how).toBe('shown');
  });
});

describe('the timeout of the first event', () => {
  test('ends the stream after firstEventMs, whatever comments came', async () => {
    const { begun, say, pass, source } = openRelay();
    await pass(firstEventMs - 1);
    await say(comment);
    expect(begun.how).toBeUndefined();
    await pass(1);
    expect(begun.how).toMatchObject({ code: 'upstream_timeout' });
    expect(source.destroyed).toBe(true);
  });

  test.each([
    ['chat', role],
    ['responses', created],
  ] as const)('stops applying after the first event: %s', async (protocol, frame) => {
    const { begun, say, pass } = openRelay({ protocol });
    await say(frame);
    await pass(10 * firstEventMs);
    expect(begun.how).toBe('shown');
  });
});

describe('G7: a caller who does not read', () => {
  const long = { data: { choices: [{ index: 0, delta: { content: 'x'.repeat(40_000) }, finish_reason: null }] } };

  test('pauses the upstream, which is resumed when the caller reads', async () => {
    const { source, say, listen } = openRelay();
    await say(role);
    await say(long);
    expect(source.isPaused()).toBe(false);
    await say(long);
    expect(source.isPaused()).toBe(true);
    listen();
    await turns();
    expect(source.isPaused()).toBe(false);
  });

  test("doesn't pause an upstream during its opening events, up to maxFrameBytes", async () => {
    const echo = { instructions: 'x'.repeat(100_000) };
    const [longCreated = {}, longInProgress = {}] = responseFrames({ text: 'one', echo });
    const { source, say } = openRelay({ protocol: 'responses', maxFrameBytes: 150_000 });
    await say(longCreated);
    expect(source.isPaused()).toBe(false);
    await say(longInProgress);
    expect(source.isPaused()).toBe(true);
  });

  test('gets no event longer than maxFrameBytes', async () => {
    const { begun, say } = openRelay({ maxFrameBytes: 1_000 });
    await say(`data: ${'x'.repeat(1_001)}`);
    expect(begun.how).toMatchObject({ code: 'upstream_error', message: 'The upstream sent an event that is too large.' });
  });
});

test('accepts an event in any number of pieces', async () => {
  const { begun, say, listen, read } = openRelay();
  for (const piece of ['data: {"choi', 'ces":[{"index":0,"delta":{"content":"hello"}}]}\n', '\n']) {
    expect(begun.how).toBeUndefined();
    await say(piece);
  }
  expect(begun.how).toBe('shown');
  listen();
  await turns();
  expect(read()).toContain('hello');
});

describe('the end of a stream', () => {
  test('G8: leaves the connection a second to close, then cuts it', async () => {
    const { say, pass, source } = openRelay();
    await say(...frames);
    await pass(999);
    expect(source.destroyed).toBe(false);
    await pass(1);
    expect(source.destroyed).toBe(true);
  });

  test('G8: cuts the connection when the error cannot be written', async () => {
    const reader = chatRelay.readStream(createJsonBody({ model: 'm' }), { requested: 'm', upstream: 'm' });
    reader.fail = () => {
      throw new TypeError('no words');
    };
    const { say, stream, source } = openRelay({ reader });
    await say(role, one);
    source.push(null);
    await turns();
    expect([stream.errored, stream.readableEnded]).toMatchObject([{ code: 'internal_error' }, false]);
  });

  test('G6: raises no error after a disconnect when the settlement fails', async () => {
    const { say, stream, source } = openRelay({ onEnd: () => Promise.reject(new Error('the store is down')) });
    await say(role);
    stream.destroy();
    await turns();
    expect([source.destroyed, stream.errored]).toEqual([true, null]);
  });

  test('G6: reads on after a disconnect when the stream is drained, even one that was paused', async () => {
    const { say, stream, source } = openRelay({ isReadToEnd: true });
    await say(role, one);
    source.pause();
    stream.destroy();
    await turns();
    expect([source.destroyed, source.isPaused()]).toEqual([false, false]);
  });
});

describe('a caller during silence', () => {
  const beat = ': keepalive\n\n';
  const event = Buffer.from('event: keepalive\ndata: {}\n\n');

  test('gets a comment after each heartbeatMs, not before the stream is shown and not after its end', async () => {
    const { say, pass, listen, read } = openRelay({ firstEventMs: 10 * heartbeatMs });
    await pass(2 * heartbeatMs);
    await say(role);
    listen();
    await turns();
    expect(read()).not.toContain(beat);
    await pass(heartbeatMs - 1);
    expect(read()).not.toContain(beat);
    await pass(1);
    await pass(heartbeatMs);
    expect(read().split(beat)).toHaveLength(3);
    await say(one, two, finish, done);
    await pass(5 * heartbeatMs);
    expect(read().split(beat)).toHaveLength(3);
  });

  test.each([
    ['an event', one, false],
    ['a comment of the upstream', { comment: 'processing' }, false],
  ])('gets nothing when %s came in between', async (_what, frame, isBeaten) => {
    const { say, pass, listen, read } = openRelay();
    await say(role);
    listen();
    await pass(heartbeatMs - 1);
    await say(frame);
    await pass(1);
    expect(read().includes(beat)).toBe(isBeaten);
  });

  test('F17: gets an event with keepAlive, even if the upstream sends comments', async () => {
    const [created = {}, inProgress = {}, added = {}] = responseFrames({ text: 'one' });
    const { say, pass, listen, read } = openRelay({ protocol: 'responses', keepAlive: () => event });
    await say(created, inProgress, added);
    listen();
    await pass(heartbeatMs - 1);
    await say({ comment: 'processing' });
    await pass(1);
    expect(read()).toContain(String(event));
    expect(read()).not.toContain(beat);
  });

  test('gets a comment when keepAlive returns null', async () => {
    const { say, pass, listen, read } = openRelay({ keepAlive: () => null });
    await say(role);
    listen();
    await pass(heartbeatMs);
    expect(read()).toContain(beat);
  });

  test('G7: gets nothing without reading', async () => {
    const { say, pass, stream } = openRelay();
    await say(role, { data: { choices: [{ index: 0, delta: { content: 'x'.repeat(70_000) } }] } });
    const before = stream.readableLength;
    await pass(5 * heartbeatMs);
    expect(stream.readableLength).toBe(before);
  });
});
