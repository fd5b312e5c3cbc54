/** When a caller is shown the beginning of a stream, and what is told of one that failed before (promises G5 and G7, F03, F04). */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../server/errors.ts';
import { chatFrames } from '../../fakes/chat.ts';
import { failedFrames, responseFrames } from '../../fakes/responses.ts';
import { firstEventMs, openingMs, openRelay, turns } from './relay.ts';

const [role = {}, one = {}] = chatFrames({ text: ['one ', 'two '] });
const [created = {}, inProgress = {}, added = {}] = responseFrames({ text: ['one ', 'two '] });
const comment = { comment: 'processing' };

describe('G5: a stream is shown', () => {
  test('from its first event on, and nothing before', async () => {
    const { begun, say, listen, read } = openRelay();
    await say(comment);
    await say(comment);
    expect(begun.how).toBeUndefined();
    await say(role);
    expect(begun.how).toBe('shown');
    listen();
    await turns();
    // What came before it would have filled the buffer of a caller who does not read yet.
    expect(read()).not.toContain('processing');
    await say(one, comment);
    expect(read()).toContain('one ');
    expect(read()).toContain('processing');
  });

  test('F04: with its opening, once it says more than that', async () => {
    const { begun, say, listen, read } = openRelay({ protocol: 'responses' });
    await say(created);
    await say(inProgress);
    expect(begun.how).toBeUndefined();
    await say(added);
    expect(begun.how).toBe('shown');
    listen();
    await turns();
    expect(read().match(/^event: .*$/gm)).toEqual([
      'event: response.created',
      'event: response.in_progress',
      'event: response.output_item.added',
    ]);
  });

  test('with its opening alone, once that was held back long enough; further ones of it hold it no longer', async () => {
    const { begun, say, pass } = openRelay({ protocol: 'responses' });
    await say(created);
    await pass(openingMs - 1);
    await say(inProgress);
    expect(begun.how).toBeUndefined();
    await pass(1);
    expect(begun.how).toBe('shown');
  });

  test('at once where it comes whole, and not before its end is settled', async () => {
    const settled = Promise.withResolvers<undefined>();
    const { begun, say, listen, read, ends } = openRelay({ onEnd: () => settled.promise });
    await say(...chatFrames({ text: 'all' }));
    expect([begun.how, ends]).toEqual([undefined, [{ kind: 'completed', isShown: false }]]);
    settled.resolve(undefined);
    await turns();
    expect(begun.how).toBe('shown');
    listen();
    await turns();
    expect(read().endsWith('data: [DONE]\n\n')).toBe(true);
  });
});

describe('G5: a stream that fails before it was shown', () => {
  const failing = { data: { error: { message: 'busy', code: 'server_is_overloaded', type: 'server_error', param: null } } };

  test.each([
    ['says that it failed', 'overloaded', [failing]],
    ['says so behind what could have been shown, in one piece', 'overloaded', [role, one, failing]],
    ['says what nobody can read', 'upstream_error', [{ data: '{"broken' }]],
    ['ends with a comment', 'upstream_error', [comment]],
  ])('is told as that, and nothing of it is shown: it %s', async (_what, code, frames) => {
    const { begun, say, source, ends, read, listen } = openRelay();
    await say(...frames);
    source.push(null);
    await turns();
    expect(begun.how).toMatchObject({ code });
    expect(ends).toMatchObject([{ kind: 'failed', error: { code }, isShown: false, isFinal: false }]);
    listen();
    await turns();
    expect([read(), source.destroyed]).toEqual(['', true]);
  });

  test('F03: within its opening is no stream at all', async () => {
    const { begun, say, ends } = openRelay({ protocol: 'responses' });
    await say(created);
    await say(...failedFrames({ code: 'server_is_overloaded', message: 'busy' }));
    expect([begun.how, ends]).toMatchObject([{ code: 'overloaded' }, [{ isShown: false }]]);
  });

  test('F03: once its opening was shown is a stream that broke', async () => {
    const { begun, say, ends, pass, listen, read } = openRelay({ protocol: 'responses' });
    await say(created);
    await pass(openingMs);
    await say(...failedFrames({ code: 'server_is_overloaded', message: 'busy' }));
    expect([begun.how, ends]).toMatchObject(['shown', [{ kind: 'failed', isShown: true }]]);
    listen();
    await turns();
    expect(read()).toContain('response.failed');
  });

  test.each([
    ['is cut', (source: { destroy(): unknown }) => void source.destroy()],
    ['breaks', (source: { destroy(error: Error): unknown }) => void source.destroy(new Error('reset'))],
  ])('is an error of the upstream where its connection %s', async (_what, end) => {
    const { begun, source, ends } = openRelay();
    end(source);
    await turns();
    expect([begun.how, ends]).toMatchObject([{ code: 'upstream_error' }, [{ kind: 'failed', isShown: false }]]);
  });

  test('hears of what went wrong when it was ended, where that is known better', async () => {
    const better = new GatewayError('overloaded');
    const { begun, say } = openRelay({ onEnd: () => Promise.reject(better) });
    await say(failing);
    expect(begun.how).toBe(better);
  });

  test('because the gateway stops is wanted nowhere else', async () => {
    const { begun, stream, ends } = openRelay();
    stream.end(new GatewayError('overloaded'), { isFinal: true });
    await turns();
    expect([begun.how, ends]).toMatchObject([{ code: 'overloaded' }, [{ kind: 'failed', isFinal: true }]]);
  });
});

describe('the first event is waited for', () => {
  test('so long, through any number of comments', async () => {
    const { begun, say, pass, ends, source } = openRelay();
    await pass(firstEventMs - 1);
    await say(comment);
    expect(begun.how).toBeUndefined();
    await pass(1);
    expect(begun.how).toMatchObject({ code: 'upstream_timeout' });
    expect([ends, source.destroyed]).toMatchObject([[{ kind: 'failed', isShown: false }], true]);
  });

  test.each([
    ['chat', role],
    ['responses', created],
  ] as const)('and not any more once there was one: %s', async (protocol, frame) => {
    const { begun, say, pass, ends } = openRelay({ protocol });
    await say(frame);
    await pass(10 * firstEventMs);
    expect([begun.how, ends]).toEqual(['shown', []]);
  });
});

describe('G7: a caller who does not read', () => {
  const long = { data: { choices: [{ index: 0, delta: { content: 'x'.repeat(40_000) }, finish_reason: null }] } };

  test('stops the upstream, and reading it goes on', async () => {
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

  test('does not stop an upstream whose opening is longer than the buffer, as far as one event may be long', async () => {
    const echo = { instructions: 'x'.repeat(100_000) };
    const [longCreated = {}, longInProgress = {}] = responseFrames({ text: 'one', echo });
    const { source, say } = openRelay({ protocol: 'responses', maxFrameBytes: 150_000 });
    await say(longCreated);
    expect(source.isPaused()).toBe(false);
    await say(longInProgress);
    expect(source.isPaused()).toBe(true);
  });

  test('gets no event that is longer than one may be', async () => {
    const { begun, say } = openRelay({ maxFrameBytes: 1_000 });
    await say(`data: ${'x'.repeat(1_001)}`);
    expect(begun.how).toMatchObject({ code: 'upstream_error', message: 'The upstream sent an event that is too large.' });
  });
});

test('an event may come in any number of pieces', async () => {
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
