/** Vendors that break in the middle of a stream: the stream never looks complete, and what came before is kept. */
import { describe, expect, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { type Ending, stream } from '../fakes/delivery.ts';
import { type Frame, frameBytes, type SseEvent } from '../fakes/frames.ts';
import { responseFrames } from '../fakes/responses.ts';
import { holdTimersOf } from '../harness/held-clock.ts';
import { useOpened } from '../harness/opened.ts';
import { chat, type Protocol, protocols, responses } from '../harness/protocols.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { readChat, readResponses } from '../harness/transcript.ts';
import { openBehindVendor } from '../harness/vendor.ts';

const vendor = useOpened(() => {
  const models = [
    { id: 'gpt-5.4', kind: 'text' },
    { id: 'gpt-image-2', kind: 'image' },
  ];
  return openBehindVendor({ settings: { models } });
});

const asked = ({ ask, streamed }: Protocol) => JSON.stringify({ ...ask, ...streamed });

interface Cut {
  /** The number of frames that arrive whole. */
  readonly frames: number;
  readonly ending: Ending;
}

/** Expects an error status where nothing was shown, the whole stream where it was complete, and an error event otherwise. */
async function expectHonest(protocol: Protocol, answer: Response, { frames, ending }: Cut): Promise<void> {
  const isOver = frames >= protocol.frames.length || (frames >= protocol.enough && (ending === 'end' || ending === 'fin'));
  if (frames <= protocol.opening) await expectRefusal(answer, { code: 'upstream_error' });
  else if (isOver) protocol.expectWhole(await answer.text());
  else expect(protocol.expectBroken(await answer.text()).code).toBe('upstream_error');
}

const cleanEndings: readonly Ending[] = ['end', 'fin', 'cut'];

describe.each(protocols)('F01, G8: $name', (protocol) => {
  const body = asked(protocol);
  const count = protocol.frames.length;

  test.each(cleanEndings)('ends a stream that is cut between any two frames (%s) with an error', async (ending) => {
    for (let frames = 0; frames <= count; frames++) {
      vendor.fake.next(stream(protocol.frames, { stopAfter: { frames }, ending }));
      await expectHonest(protocol, await vendor.post(protocol.path, body), { frames, ending });
    }
    recordAttempts('G8', { what: 'cuts of a stream', times: count + 1 });
  });

  test.each(['fin', 'cut'] as const)(
    'ends a stream that is cut inside any frame (%s) with an error, and forwards no part of that frame',
    async (ending) => {
      const sizes = protocol.frames.map((frame) => frameBytes(frame).length);
      for (const [frames, size] of sizes.entries()) {
        const before = sizes.slice(0, frames).reduce((sum, length) => sum + length, 0);
        for (const within of [1, Math.floor(size / 2), size - 1]) {
          vendor.fake.next(stream(protocol.frames, { stopAfter: { bytes: before + within }, ending }));
          await expectHonest(protocol, await vendor.post(protocol.path, body), { frames, ending });
        }
      }
      recordAttempts('G8', { what: 'cuts of a stream', times: 3 * count });
    },
  );

  test('ends a stream that is reset between any two frames with an error', async () => {
    for (let frames = 0; frames < protocol.enough; frames++) {
      vendor.fake.next(stream(protocol.frames, { stopAfter: { frames }, ending: 'reset' }));
      const answer = await vendor.post(protocol.path, body);
      // A reset may overtake what was sent before it.
      if (answer.status === 502) await expectRefusal(answer, { code: 'upstream_error' });
      else protocol.expectBroken(await answer.text());
    }
    recordAttempts('G8', { what: 'cuts of a stream', times: protocol.enough });
  });

  test('G4: logs status, code and cost of a cut stream, and charges nothing for an incomplete image', async () => {
    vendor.fake.next(stream(protocol.frames, { stopAfter: { frames: protocol.enough - 1 }, ending: 'cut' }));
    const answer = await vendor.post(protocol.path, body);
    await answer.text();
    const line = await vendor.gateway.lineOf(answer);
    expect(line).toMatchObject({ status: 200, end: 'failed', code: 'upstream_error', level: 'warn' });
    expect(Number(line.cost ?? 0) > 0).toBe(!protocol.path.startsWith('/images/'));
  });

  const garbage: readonly (readonly [title: string, frame: Frame])[] = [
    ['a page', { raw: 'data: <h1>502 Bad Gateway</h1>\n\n' }],
    ['half of its JSON', { raw: 'data: {"id":"x","obj\n\n' }],
    ['half of its JSON under a name', { raw: 'event: response.output_text.delta\ndata: {"type":"response.outp\n\n' }],
    ['a list', { data: [1, 2] }],
    ['a word', { data: '"hello"' }],
    ['noise', { raw: Buffer.concat([Buffer.from('data: '), Buffer.from('fffe00', 'hex'), Buffer.from('\n\n')]) }],
  ];

  test.each(garbage)('ends a stream with an error when a frame is %s', async (_title, frame) => {
    const at = protocol.opening + 1;
    for (const chunkBytes of [undefined, 1_000_000]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const frames = [...protocol.frames.slice(0, at), { until: promise }, frame, ...protocol.frames.slice(at)];
      vendor.fake.next(stream(frames, chunkBytes === undefined ? {} : { chunkBytes }));
      const answer = await vendor.post(protocol.path, asked(protocol));
      resolve();
      expect(protocol.expectBroken(await answer.text())).toMatchObject({ code: 'upstream_error', type: 'server_error' });
    }
  });
});

const error = { message: 'VENDOR-WORDS', type: 'server_error', code: 'server_error', param: null };
const failedResponse = (code: string): SseEvent => {
  const { data } = responseFrames({ text: 'x', status: 'failed', error: { code, message: 'VENDOR-WORDS' } }).at(-1) ?? {};
  return { event: 'response.failed', data: { ...(typeof data === 'object' ? data : {}), sequence_number: 99 } };
};

const everywhere: readonly (readonly [title: string, frame: SseEvent, code: string])[] = [
  ['an error object', { data: { error } }, 'upstream_error'],
  ['an error by its name', { event: 'error', data: { ...error, type: 'error' } }, 'upstream_error'],
  ['want of room', { data: { error: { ...error, code: 'server_is_overloaded' } } }, 'upstream_unavailable'],
  ['a rate limit', { data: { error: { ...error, code: 'rate_limit_exceeded' } } }, 'rate_limit_exceeded'],
];

/** The ways in which vendors report a failure inside a stream, and the code that the caller reads. */
const told: readonly (readonly [title: string, protocol: Protocol, frame: SseEvent, code: string])[] = [
  ...everywhere.flatMap(([title, frame, code]) =>
    protocols.map((protocol) => [`${protocol.name}: ${title}`, protocol, frame, code] as const),
  ),
  ['chat: an error as a number', chat, { data: { error: { message: 'VENDOR-WORDS', code: 502 } } }, 'upstream_error'],
  ['chat: an error as a string', chat, { data: { error: 'VENDOR-WORDS' } }, 'upstream_error'],
  ['V11, chat: a word and a status', chat, { data: { error: { code: 'tool_use_failed', status_code: 400 } } }, 'invalid_value'],
  ['V11, chat: a status that asks for a wait', chat, { data: { error: { code: 429 } } }, 'rate_limit_exceeded'],
  ['V11, chat: a type for a long prompt', chat, { data: { error: { type: 'too_many_prompt_tokens' } } }, 'context_length_exceeded'],
  [
    'chat: an error inside a chunk',
    chat,
    {
      data: {
        ...Object(chat.frames[0]?.data),
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
        error: { code: 502, message: 'VENDOR-WORDS' },
      },
    },
    'upstream_error',
  ],
  ['responses: a failed response', responses, failedResponse('server_error'), 'upstream_error'],
  ['responses: a failed response for want of room', responses, failedResponse('server_is_overloaded'), 'upstream_unavailable'],
  ['responses: a failed response for a rate limit', responses, failedResponse('rate_limit_exceeded'), 'rate_limit_exceeded'],
];

describe.each(told)('%s', (_title, protocol, frame, code) => {
  test('F02: returns its status before any output', async () => {
    for (const frames of [[frame], [...protocol.frames.slice(0, protocol.opening), frame]]) {
      vendor.fake.next(stream(frames));
      await expectRefusal(await vendor.post(protocol.path, asked(protocol)), { code: code as 'upstream_unavailable' });
    }
  });

  test('F11, G8: ends the stream after output and loses no earlier event, in small chunks or in one', async () => {
    const shown = protocol.opening + 1;
    const last = protocol.enough - 1;
    for (const chunkBytes of [7, 1_000_000]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const frames = [
        ...protocol.frames.slice(0, shown),
        { until: promise },
        ...protocol.frames.slice(shown, last),
        frame,
        ...protocol.frames.slice(last),
      ];
      vendor.fake.next(stream(frames, { chunkBytes }));
      const answer = await vendor.post(protocol.path, asked(protocol));
      resolve();
      const transcript = await answer.text();
      expect(protocol.expectBroken(transcript).code).toBe(code);
      const before = Buffer.concat(protocol.frames.slice(0, last).map((sent) => frameBytes(sent)));
      // Where ids differ the events are counted: `expectBroken` has checked their order.
      if (protocol.isExact) expect(transcript.startsWith(before.toString())).toBe(true);
      else expect(transcript.match(/^event: /gm)).toHaveLength(last + 2);
      expect(transcript).not.toContain('VENDOR-WORDS');
    }
  });
});

describe('chat', () => {
  const said = (frames: readonly Frame[], more = {}) => {
    vendor.fake.next(stream(frames));
    return vendor.post(chat.path, JSON.stringify({ ...chat.ask, ...chat.streamed, ...more })).then((answer) => answer.text());
  };
  const frames = chatFrames({ text: ['a ', 'b'] });
  const two = chatFrames({ text: ['a ', 'b'], n: 2 });
  const done = { data: '[DONE]' };

  test('V8: ends a stream at [DONE], also for a choice without a finish reason', async () => {
    expect(readChat(await said([...frames.slice(0, 3), done]))).toMatchObject({ finishReason: 'stop', isDone: true, error: null });
  });

  test('G8: ends with an error when [DONE] comes without any choice before it', async () => {
    expect(JSON.parse(await said([done])).error).toMatchObject({ code: 'upstream_error' });
  });

  test('adds [DONE] to a stream that ends after the finish reason without it', async () => {
    expect(readChat(await said(frames.slice(0, 4)))).toMatchObject({ text: 'a b', finishReason: 'stop', isDone: true });
  });

  test('needs the finish reason of both choices to complete a stream without [DONE]', async () => {
    for (let count = 1; count < 8; count++) chat.expectBroken(await said(two.slice(0, count), { n: 2 }));
    expect(readChat(await said(two.slice(0, 8), { n: 2 })).isDone).toBe(true);
  });

  test('completes a stream with one of two requested choices at [DONE]', async () => {
    expect(readChat(await said(frames, { n: 2 })).isDone).toBe(true);
  });

  test('drops frames after [DONE]', async () => {
    const read = readChat(await said([...frames, { comment: ' bye' }, { data: { error: 'too late' } }, done]));
    expect(read).toMatchObject({ text: 'a b', isDone: true, error: null });
  });
});

describe('responses', () => {
  test('F03: drops events after the terminal event', async () => {
    vendor.fake.next(stream([...responses.frames, ...responses.frames, failedResponse('server_error')]));
    responses.expectWhole(await (await vendor.post(responses.path, asked(responses))).text());
  });

  test('F01: keeps response ID and sequence numbers in the error event, with a code on which clients retry', async () => {
    vendor.fake.next(stream(responses.frames, { stopAfter: { frames: 6 }, ending: 'cut' }));
    const { events } = readResponses(await (await vendor.post(responses.path, asked(responses))).text());
    expect(events.at(-1)).toMatchObject({
      sequence_number: 7,
      response: { id: 'resp_fake', error: { code: 'server_error' }, model: 'gpt-5.4' },
    });
  });

  test('F02: holds events before any output back for two seconds, then forwards them', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    vendor.fake.next(stream([...responses.frames.slice(0, 2), { until: promise }], { ending: 'cut' }));
    const seconds = holdTimersOf(2_000);
    let isShown = false;
    const asking = vendor.post(responses.path, asked(responses)).finally(() => {
      isShown = true;
    });
    await seconds.isSet;
    // Whole calls beside it: events that were shown would have come by now.
    for (let rounds = 0; rounds < 5; rounds++) await (await vendor.gateway.call('/models')).text();
    expect(isShown).toBe(false);
    seconds.runOut();
    const answer = await asking;
    resolve();
    responses.expectBroken(await answer.text());
  });

  test('F33: logs the usage of a failed response', async () => {
    const frames = responseFrames({ text: 'x', status: 'failed' });
    const [last] = frames.slice(-1);
    const { promise, resolve } = Promise.withResolvers<void>();
    vendor.fake.next(stream([...frames.slice(0, 5), { until: promise }, last ?? {}]));
    const answer = await vendor.post(responses.path, asked(responses));
    resolve();
    await answer.text();
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ end: 'failed', inputTokens: 11, outputTokens: 7 });
  });
});
