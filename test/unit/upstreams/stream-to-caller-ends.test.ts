/** The end of a stream that its caller was shown: whole, broken, abandoned, or stored for an idempotency key (promises G6 and G8, F40). */
import { describe, expect, test } from 'vitest';
import { chatRelay } from '../../../server/dialects/chat/relay.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import { GatewayError } from '../../../server/errors.ts';
import { chatFrames } from '../../fakes/chat.ts';
import { responseFrames } from '../../fakes/responses.ts';
import { heartbeatMs, openRelay, turns } from './relay.ts';

const frames = chatFrames({ text: ['one ', 'two '] });
const [role = {}, one = {}, two = {}, finish = {}, done = {}] = frames;
const DONE = 'data: [DONE]\n\n';

describe('G8: the end of a whole stream', () => {
  test('is shown after it is settled', async () => {
    const settled = Promise.withResolvers<undefined>();
    const { say, listen, read, ends, stream } = openRelay({ onEnd: () => settled.promise });
    await say(role, one);
    listen();
    await say(two, finish, done);
    expect(ends).toEqual([{ kind: 'completed', isShown: true }]);
    expect(read()).not.toContain('two');
    settled.resolve(undefined);
    await turns();
    expect(read().endsWith(DONE)).toBe(true);
    expect(stream.readableEnded).toBe(true);
  });

  test('is the first one: later frames are ignored', async () => {
    const { say, listen, read, ends, source } = openRelay();
    await say(...frames);
    listen();
    await say(one);
    source.push(null);
    await turns();
    expect([ends.length, read().match(/one/g)?.length]).toEqual([1, 1]);
  });

  test('is written also when the upstream ends without [DONE]', async () => {
    const { say, listen, read, ends, source } = openRelay();
    await say(role, one, two, finish);
    listen();
    source.push(null);
    await turns();
    expect(ends).toEqual([{ kind: 'completed', isShown: true }]);
    expect(read().endsWith(DONE)).toBe(true);
  });

  test('is waited for at the connection for a second, which is then cut', async () => {
    const { say, pass, source } = openRelay();
    await say(...frames);
    await pass(999);
    expect(source.destroyed).toBe(false);
    await pass(1);
    expect(source.destroyed).toBe(true);
  });

  test('that cannot be settled is replaced by an error', async () => {
    const { say, listen, read } = openRelay({ onEnd: () => Promise.reject(new GatewayError('overloaded')) });
    await say(role, one);
    listen();
    await say(two, finish, done);
    expect(read()).toContain('two');
    expect(read()).toContain('"code":"overloaded"');
    expect(read()).not.toContain('[DONE]');
  });

  test('that cannot be settled rejects begin when nothing was shown', async () => {
    const { say, begun, read, listen } = openRelay({ onEnd: () => Promise.reject(new GatewayError('overloaded')) });
    await say(...frames);
    listen();
    await turns();
    expect([begun.how, read()]).toMatchObject([{ code: 'overloaded' }, '']);
  });
});

describe('G8: a stream that breaks after it was shown', () => {
  test.each([
    ['ends too early', 'upstream_error', async ({ source }: ReturnType<typeof openRelay>) => void source.push(null)],
    ['is cut', 'upstream_error', async ({ source }: ReturnType<typeof openRelay>) => void source.destroy()],
    ['has invalid JSON', 'upstream_error', async ({ say }: ReturnType<typeof openRelay>) => say('data: {"broken\n\n')],
    [
      'is ended by the gateway',
      'overloaded',
      async ({ stream }: ReturnType<typeof openRelay>) => stream.end(new GatewayError('overloaded')),
    ],
  ])('ends with one error after the output before it, without [DONE]: it %s', async (_what, code, breakIt) => {
    const relay = openRelay();
    const { say, listen, read, ends, source, stream } = relay;
    await say(role, one);
    listen();
    await breakIt(relay);
    await turns();
    stream.end(new GatewayError('internal_error'));
    await turns();
    expect(ends).toMatchObject([{ kind: 'failed', error: { code }, isShown: true }]);
    expect(read()).toContain('one ');
    expect(read().match(/"code":"\w+"/g)).toEqual([`"code":"${code}"`]);
    expect(read()).not.toContain('[DONE]');
    expect([stream.readableEnded, source.destroyed]).toEqual([true, true]);
  });

  test('shows the output that came in one piece with the failure', async () => {
    const { say, listen, read } = openRelay();
    await say(role);
    listen();
    await say(one, { data: { error: { message: 'no', code: 'server_error' } } });
    expect(read()).toContain('one ');
    expect(read()).toContain('"code":"upstream_error"');
  });

  test('is cut when the error cannot be written, and its idempotency key is released', async () => {
    const reader = chatRelay.readStream(jsonBody({ model: 'm' }), { asked: 'm', upstream: 'm' });
    reader.failing = () => {
      throw new TypeError('no words');
    };
    const told: string[] = [];
    const nothing = async (): Promise<void> => undefined;
    const keep = { add: () => undefined, seal: nothing, release: async () => void told.push('free') };
    const { say, stream, source } = openRelay({ reader, keep });
    await say(role, one);
    source.push(null);
    await turns();
    expect([stream.errored, stream.readableEnded, told]).toMatchObject([{ code: 'internal_error' }, false, ['free']]);
  });
});

describe('G6: a caller who disconnects', () => {
  test('ends the stream and the request of the upstream', async () => {
    const { say, stream, source, ends } = openRelay();
    await say(role, one);
    stream.destroy();
    await turns();
    expect([ends, source.destroyed]).toEqual([[{ kind: 'client_gone' }], true]);
  });

  test('after the end changes nothing', async () => {
    const { say, stream, ends } = openRelay();
    await say(...frames);
    stream.destroy();
    await turns();
    expect(ends).toEqual([{ kind: 'completed', isShown: false }]);
  });

  test('causes no error of the stream when the settlement fails', async () => {
    const { say, stream, ends } = openRelay({ onEnd: () => Promise.reject(new Error('the store is down')) });
    await say(role);
    stream.destroy();
    await turns();
    expect([ends, stream.errored]).toEqual([[{ kind: 'client_gone' }], null]);
  });

  test('does not end a stream that is drained', async () => {
    const { say, stream, source, ends } = openRelay({ isDrained: true });
    await say(role, one);
    source.pause();
    stream.destroy();
    await turns();
    expect([ends, source.destroyed, source.isPaused()]).toEqual([[], false, false]);
    await say(two, finish, done);
    expect(ends).toEqual([{ kind: 'completed', isShown: true }]);
  });
});

describe('F40: an answer that is stored for an idempotency key', () => {
  function openKept({ until }: { readonly until?: Promise<void> } = {}) {
    const kept: string[] = [];
    const steps: string[] = [];
    const keep = {
      add: (some: Buffer) => void kept.push(String(some)),
      async seal(last: Buffer) {
        steps.push('sealed');
        kept.push(String(last));
        await until;
      },
      release: async () => void steps.push('free'),
    };
    return { ...openRelay({ keep, onEnd: async ({ kind }) => void steps.push(kind) }), kept: () => kept.join(''), steps };
  }

  test('is the text that its caller reads, and is stored before its end is shown', async () => {
    const sealed = Promise.withResolvers<void>();
    const { say, listen, read, kept, steps } = openKept({ until: sealed.promise });
    await say(role, one);
    listen();
    await say(two, finish, done);
    expect(steps).toEqual(['completed', 'sealed']);
    expect(read()).not.toContain('two');
    sealed.resolve();
    await turns();
    expect(read()).toBe(kept());
  });

  test('that cannot be stored is shown to its end', async () => {
    const { say, listen, read } = openKept({ until: Promise.reject(new Error('the store is down')) });
    await say(...frames);
    listen();
    await turns();
    expect(read().endsWith(DONE)).toBe(true);
  });

  test('is read to its end when its caller disconnects', async () => {
    const { say, stream, source, kept, steps } = openKept();
    await say(role, one);
    stream.destroy();
    await turns();
    expect([steps, source.destroyed]).toEqual([[], false]);
    await say(two, finish, done);
    expect(steps).toEqual(['completed', 'sealed']);
    expect(kept().endsWith(DONE)).toBe(true);
  });

  test('is stored with its error when it breaks', async () => {
    const { say, source, kept, steps } = openKept();
    await say(role, one);
    source.push(null);
    await turns();
    expect(steps).toEqual(['failed', 'sealed']);
    expect(kept()).toContain('"code":"upstream_error"');
  });
});

describe('in a silence a caller gets', () => {
  const beat = ': keepalive\n\n';
  const event = Buffer.from('event: keepalive\ndata: {}\n\n');

  test('a comment after each heartbeatMs, not before the stream was shown and not after its end', async () => {
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
  ])('nothing when %s came meanwhile', async (_what, frame, isBeaten) => {
    const { say, pass, listen, read } = openRelay();
    await say(role);
    listen();
    await pass(heartbeatMs - 1);
    await say(frame);
    await pass(1);
    expect(read().includes(beat)).toBe(isBeaten);
  });

  test('F17: an event with keepAlive; comments of the upstream do not count then', async () => {
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

  test('a comment when keepAlive returns null', async () => {
    const { say, pass, listen, read } = openRelay({ keepAlive: () => null });
    await say(role);
    listen();
    await pass(heartbeatMs);
    expect(read()).toContain(beat);
  });

  test('G7: nothing when the caller does not read', async () => {
    const { say, pass, stream } = openRelay();
    await say(role, { data: { choices: [{ index: 0, delta: { content: 'x'.repeat(70_000) } }] } });
    const before = stream.readableLength;
    await pass(5 * heartbeatMs);
    expect(stream.readableLength).toBe(before);
  });
});
