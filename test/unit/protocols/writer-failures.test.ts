/** F01: failures that only the writer finds: the stream ends once with an error, and its end is recorded as failed. */

import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { translate } from '../../../server/protocols/canonical/translate.ts';
import { chatCallerDialect } from '../../../server/protocols/chat/dialect.ts';
import type { CallerDialect, UpstreamDialect } from '../../../server/protocols/dialect.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { RelayStream, type StreamEnd } from '../../../server/providers/relay-stream.ts';
import { fill, open, start, stop, text } from '../../fixtures/turn/answers.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { expectBrokenChat, expectBrokenResponses, readResponses } from '../../harness/transcript.ts';
import { writeLastFrames } from '../providers/last-frames.ts';

/** An upstream that gives these events, one list for each frame, and `last` at its end. */
const plainUpstream = (frames: readonly (readonly CanonicalEvent[])[], last: readonly CanonicalEvent[] = []): UpstreamDialect => {
  let owed: readonly CanonicalEvent[] = last;
  return {
    getPath: () => '/say',
    writeRequest: () => ({}),
    readResponse: () => [...frames.flat(), ...last],
    openStream: () => ({
      read: ({ frame }) => [...(frames[Number(frame)] ?? [])],
      end: () => {
        const events = [...owed];
        owed = [];
        return events;
      },
      isComplete: false,
    }),
  };
};

const callers = {
  responses: {
    dialect: responsesCallerDialect,
    prefix: 'resp',
    body: { model: 'm', input: 'Hi', stream: true },
    expectBroken: expectBrokenResponses,
  },
  chat: {
    dialect: chatCallerDialect,
    prefix: 'chatcmpl',
    body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
    expectBroken: expectBrokenChat,
  },
} as const satisfies Record<string, { dialect: CallerDialect; [more: string]: unknown }>;

const waits = { maxFrameBytes: 1e6, heartbeatMs: 60_000, firstEventMs: 60_000, openingMs: 60_000 };

interface Heard {
  readonly transcript: string;
  readonly ends: readonly StreamEnd[];
}

/** Sends the frames one by one and returns what the caller reads; rejects when the answer is an error status. */
async function hear(
  name: keyof typeof callers,
  frames: readonly (readonly CanonicalEvent[])[],
  last?: readonly CanonicalEvent[],
): Promise<Heard> {
  const { dialect: caller, prefix, body } = callers[name];
  const upstream = plainUpstream(frames, last);
  const { readStream } = translate({ caller, upstream, body, bytes: 1000, model: 'm', head: createHead(prefix, body) });
  const ends: StreamEnd[] = [];
  const source = Readable.from(
    frames.map((_, frame) => Buffer.from(`data: {"frame":${frame}}\n\n`)),
    { objectMode: false },
  );
  const reader = readStream();
  const onEnd = (end: StreamEnd) => {
    ends.push(end);
    return writeLastFrames(reader, end);
  };
  const relay = new RelayStream({ source, reader, ...waits, onEnd });
  await relay.begin();
  const pieces: Buffer[] = [];
  for await (const piece of relay) pieces.push(piece);
  return { transcript: Buffer.concat(pieces).toString(), ends };
}

const names = ['responses', 'chat'] as const;
const failed = { kind: 'failed', error: { code: 'upstream_error' }, isShown: true };

describe.each(names)('a caller of %s', (name) => {
  const { expectBroken } = callers[name];

  it.each([
    ['pieces of a call that was never opened', [[start, text('Hi')], [fill(0, '{}')], [stop]]],
    ['a call that is opened twice', [[start, text('Hi')], [open(0, 'a'), open(0, 'b')], [stop]]],
    [
      'the same within one frame, behind text',
      [
        [start, text('Hi')],
        [text(' you'), fill(3, '{}'), text('!'), stop],
      ],
    ],
  ] as const)('gets one error when the upstream sends %s', async (_what, frames) => {
    const { transcript, ends } = await hear(name, frames);
    expect(expectBroken(transcript)).toMatchObject({ code: 'upstream_error', message: expect.stringContaining('out of order') });
    expect(transcript).toContain('Hi');
    expect(transcript).not.toContain('!"');
    expect(ends).toMatchObject([failed]);
  });

  it('gets the output that came with an inconsistent end of the upstream', async () => {
    const { transcript, ends } = await hear(name, [[start, text('Hi')]], [text(' there'), fill(0, '{}'), stop]);
    expectBroken(transcript);
    expect(transcript).toContain(' there');
    expect(ends).toMatchObject([failed]);
  });

  it('gets one error when the upstream ends without a finish reason', async () => {
    const { transcript, ends } = await hear(name, [[start, text('Hi')], [text(' there')]]);
    expect(expectBroken(transcript).message).toContain('closed the connection');
    expect(ends).toMatchObject([failed]);
  });

  it('gets an error status when nothing was shown before', async () => {
    await expect(hear(name, [[start], [fill(0, '{}')]])).rejects.toMatchObject({ code: 'upstream_error' });
    await expect(hear(name, [[start]], [fill(0, '{}'), stop])).rejects.toMatchObject({ code: 'upstream_error' });
  });

  it('gets a complete stream without failures', async () => {
    const { transcript, ends } = await hear(name, [
      [start, text('Hi')],
      [text(' there'), stop],
    ]);
    expect(transcript.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(ends).toMatchObject([{ kind: 'completed', isShown: true }]);
  });
});

it("F01: cuts the stream on a failure that can't be written", async () => {
  const { caller, upstream } = { caller: chatCallerDialect, upstream: plainUpstream([[start, text('Hi')]]) };
  const reader = translate({
    caller,
    upstream,
    body: callers.chat.body,
    bytes: 1000,
    model: 'm',
    head: createHead('chatcmpl', callers.chat.body),
  }).readStream();
  reader.fail = () => {
    throw new RangeError('no words');
  };
  const source = Readable.from([Buffer.from('data: {"frame":0}\n\n')], { objectMode: false });
  const ends: StreamEnd[] = [];
  const onEnd = (end: StreamEnd) => {
    ends.push(end);
    return writeLastFrames(reader, end);
  };
  const relay = new RelayStream({ source, reader, onEnd, ...waits });
  await relay.begin();
  await expect(relay.toArray()).rejects.toMatchObject({ code: 'internal_error' });
  expect(ends).toMatchObject([failed]);
});

it('F11: numbers a stream that fails in the middle of a frame consecutively', async () => {
  const { transcript } = await hear('responses', [
    [start, text('Hi')],
    [text(' you'), fill(3, '{}'), stop],
  ]);
  const { events } = readResponses(transcript);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
});
