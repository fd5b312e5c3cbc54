/** How a stream ends that its caller was shown: whole, broken, left or kept for another try, and once (promises G6 and G8, F40). */
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
  test('is shown when it is settled, and not before', async () => {
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

  test('is the first one: what comes behind it is not looked at', async () => {
    const { say, listen, read, ends, source } = openRelay();
    await say(...frames);
    listen();
    await say(one);
    source.push(null);
    await turns();
    expect([ends.length, read().match(/one/g)?.length]).toEqual([1, 1]);
  });

  test('is said by an upstream that only ends, too', async () => {
    const { say, listen, read, ends, source } = openRelay();
    await say(role, one, two, finish);
    listen();
    source.push(null);
    await turns();
    expect(ends).toEqual([{ kind: 'completed', isShown: true }]);
    expect(read().endsWith(DONE)).toBe(true);
  });

  test('is waited for at the connection, too, for a second: then that is cut', async () => {
    const { say, pass, source } = openRelay();
    await say(...frames);
    await pass(999);
    expect(source.destroyed).toBe(false);
    await pass(1);
    expect(source.destroyed).toBe(true);
  });

  test('that could not be settled is told as a failure, in place of the last word', async () => {
    const { say, listen, read } = openRelay({ onEnd: () => Promise.reject(new GatewayError('overloaded')) });
    await say(role, one);
    listen();
    await say(two, finish, done);
    expect(read()).toContain('two');
    expect(read()).toContain('"code":"overloaded"');
    expect(read()).not.toContain('[DONE]');
  });

  test('that could not be settled is a status where nothing was shown', async () => {
    const { say, begun, read, listen } = openRelay({ onEnd: () => Promise.reject(new GatewayError('overloaded')) });
    await say(...frames);
    listen();
    await turns();
    expect([begun.how, read()]).toMatchObject([{ code: 'overloaded' }, '']);
  });
});

describe('G8: a stream that breaks once it was shown', () => {
  test.each([
    ['ends too early', 'upstream_error', async ({ source }: ReturnType<typeof openRelay>) => void source.push(null)],
    ['is cut', 'upstream_error', async ({ source }: ReturnType<typeof openRelay>) => void source.destroy()],
    ['says what nobody can read', 'upstream_error', async ({ say }: ReturnType<typeof openRelay>) => say('data: {"broken\n\n')],
    [
      'is ended by the gateway',
      'overloaded',
      async ({ stream }: ReturnType<typeof openRelay>) => stream.end(new GatewayError('overloaded')),
    ],
  ])('says so once, behind what came before, and never looks whole: it %s', async (_what, code, breakIt) => {
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

  test('tells what came in one piece with the failure', async () => {
    const { say, listen, read } = openRelay();
    await say(role);
    listen();
    await say(one, { data: { error: { message: 'no', code: 'server_error' } } });
    expect(read()).toContain('one ');
    expect(read()).toContain('"code":"upstream_error"');
  });

  test('is cut where there are no words for the failure, and its key is free again', async () => {
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

describe('G6: a caller who leaves', () => {
  test('ends the stream and the request of the upstream', async () => {
    const { say, stream, source, ends } = openRelay();
    await say(role, one);
    stream.destroy();
    await turns();
    expect([ends, source.destroyed]).toEqual([[{ kind: 'client_gone' }], true]);
  });

  test('behind its end changes nothing', async () => {
    const { say, stream, ends } = openRelay();
    await say(...frames);
    stream.destroy();
    await turns();
    expect(ends).toEqual([{ kind: 'completed', isShown: false }]);
  });

  test('is no fault of whoever settles it, even where that fails', async () => {
    const { say, stream, ends } = openRelay({ onEnd: () => Promise.reject(new Error('the store is down')) });
    await say(role);
    stream.destroy();
    await turns();
    expect([ends, stream.errored]).toEqual([[{ kind: 'client_gone' }], null]);
  });

  test('does not end an answer that is heard out', async () => {
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

describe('F40: an answer that is kept for another try', () => {
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

  test('is what its caller reads, and is kept before its end is told', async () => {
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

  test('that cannot be kept is told all the same', async () => {
    const { say, listen, read } = openKept({ until: Promise.reject(new Error('the store is down')) });
    await say(...frames);
    listen();
    await turns();
    expect(read().endsWith(DONE)).toBe(true);
  });

  test('goes on without a caller who leaves, to its end', async () => {
    const { say, stream, source, kept, steps } = openKept();
    await say(role, one);
    stream.destroy();
    await turns();
    expect([steps, source.destroyed]).toEqual([[], false]);
    await say(two, finish, done);
    expect(steps).toEqual(['completed', 'sealed']);
    expect(kept().endsWith(DONE)).toBe(true);
  });

  test('keeps how it broke, too', async () => {
    const { say, source, kept, steps } = openKept();
    await say(role, one);
    source.push(null);
    await turns();
    expect(steps).toEqual(['failed', 'sealed']);
    expect(kept()).toContain('"code":"upstream_error"');
  });
});

describe('in silence a caller reads', () => {
  const beat = ': keepalive\n\n';
  const event = Buffer.from('event: keepalive\ndata: {}\n\n');

  test('a comment now and then, not before the stream was shown and not behind its end', async () => {
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
  ])('nothing where %s came meanwhile', async (_what, frame, isBeaten) => {
    const { say, pass, listen, read } = openRelay();
    await say(role);
    listen();
    await pass(heartbeatMs - 1);
    await say(frame);
    await pass(1);
    expect(read().includes(beat)).toBe(isBeaten);
  });

  test('F17: an event, where it hears no comments: those of the upstream do not end the silence', async () => {
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

  test('a comment, where no event may stand now', async () => {
    const { say, pass, listen, read } = openRelay({ keepAlive: () => null });
    await say(role);
    listen();
    await pass(heartbeatMs);
    expect(read()).toContain(beat);
  });

  test('G7: nothing that would only fill the buffer of a caller who does not read', async () => {
    const { say, pass, stream } = openRelay();
    await say(role, { data: { choices: [{ index: 0, delta: { content: 'x'.repeat(70_000) } }] } });
    const before = stream.readableLength;
    await pass(5 * heartbeatMs);
    expect(stream.readableLength).toBe(before);
  });
});
