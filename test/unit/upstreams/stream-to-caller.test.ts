/** The start of a stream to a caller: when it is shown, and failures before that (promises G5 and G7, F03, F04). */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../server/errors.ts';
import { chatFrames } from '../../fakes/chat.ts';
import { failedFrames, responseFrames } from '../../fakes/responses.ts';
import { firstEventMs, openingMs, openRelay, turns } from './relay.ts';

const [role = {}, one = {}] = chatFrames({ text: ['one ', 'two '] });
const [created = {}, inProgress = {}, added = {}] = responseFrames({ text: ['one ', 'two '] });
const comment = { comment: 'processing' };

describe('G5: a stream is shown', () => {
  test('from its first event on, without the comments before', async () => {
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

  test('F04: with the first event after its opening events', async () => {
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

  test('with its opening events only after openingMs, counted from the first one', async () => {
    const { begun, say, pass } = openRelay({ protocol: 'responses' });
    await say(created);
    await pass(openingMs - 1);
    await say(inProgress);
    expect(begun.how).toBeUndefined();
    await pass(1);
    expect(begun.how).toBe('shown');
  });

  test('after its end is settled when it comes in one piece', async () => {
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
    ['has an error event', 'overloaded', [failing]],
    ['has an error event after output, in one piece', 'overloaded', [role, one, failing]],
    ['has invalid JSON', 'upstream_error', [{ data: '{"broken' }]],
    ['ends after a comment', 'upstream_error', [comment]],
  ])('rejects begin with its code, and nothing is shown: it %s', async (_what, code, frames) => {
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

  test('F03: after opening events rejects begin', async () => {
    const { begun, say, ends } = openRelay({ protocol: 'responses' });
    await say(created);
    await say(...failedFrames({ code: 'server_is_overloaded', message: 'busy' }));
    expect([begun.how, ends]).toMatchObject([{ code: 'overloaded' }, [{ isShown: false }]]);
  });

  test('F03: after its opening events were shown ends with response.failed', async () => {
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
  ])('is upstream_error when its connection %s', async (_what, end) => {
    const { begun, source, ends } = openRelay();
    end(source);
    await turns();
    expect([begun.how, ends]).toMatchObject([{ code: 'upstream_error' }, [{ kind: 'failed', isShown: false }]]);
  });

  test('rejects with the error of onEnd, if there is one', async () => {
    const better = new GatewayError('overloaded');
    const { begun, say } = openRelay({ onEnd: () => Promise.reject(better) });
    await say(failing);
    expect(begun.how).toBe(better);
  });

  test('because the gateway stops is final', async () => {
    const { begun, stream, ends } = openRelay();
    stream.end(new GatewayError('overloaded'), { isFinal: true });
    await turns();
    expect([begun.how, ends]).toMatchObject([{ code: 'overloaded' }, [{ kind: 'failed', isFinal: true }]]);
  });
});

describe('the timeout of the first event', () => {
  test('ends the stream after firstEventMs, whatever comments came', async () => {
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
  ] as const)('does not apply after the first event: %s', async (protocol, frame) => {
    const { begun, say, pass, ends } = openRelay({ protocol });
    await say(frame);
    await pass(10 * firstEventMs);
    expect([begun.how, ends]).toEqual(['shown', []]);
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

  test('does not pause an upstream during its opening events, up to maxFrameBytes', async () => {
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
