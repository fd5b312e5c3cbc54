/** The fault matrix: each fault of a vendor, for each kind of call, with the results that are right (F01, F02, F36, G14). */
import { chatCompletion, chatFrames, chatUsage } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { garbage, gzipBomb, hangUp, html, longLine, raw, redirect, reset, silence } from '../../fakes/faults.ts';
import { type Frame, frameBytes, type SseEvent } from '../../fakes/frames.ts';
import { response, responseFrames, responseUsage } from '../../fakes/responses.ts';
import type { Script } from '../../fakes/script.ts';
import { type Case, caseOf, type Door, doors, streamDoors } from './case.ts';

const text = ['é ', 'and b'];
const isChat = ({ protocol }: Door): boolean => protocol.name === 'chat';

/** The vendor's answer to this kind of call without a fault. */
export const framesOf = (door: Door, more: object = {}): readonly SseEvent[] =>
  isChat(door) ? chatFrames({ text, includeUsage: true, extra: null, ...more }) : responseFrames({ text, extra: null, ...more });
const bodyOf = (door: Door, more: object = {}): Record<string, unknown> =>
  isChat(door) ? chatCompletion({ text, extra: null, ...more }) : response({ text, extra: null, ...more });
const wellOf = (door: Door, more: object = {}): Script => (door.isStream ? stream(framesOf(door, more)) : json(bodyOf(door, more)));

const error = { message: 'busy', type: 'server_error', code: 'server_error', param: null };

const rejectedCases = (door: Door, elsewhere: string): readonly Case[] => {
  const rejected = (title: string, script: Script, more: Partial<Case> = {}): Case =>
    caseOf({ title, door, script, answers: ['rejected'], ...more });
  return [
    rejected('refuses the connection', [], { upstream: 'nowhere' }),
    rejected('takes the connection and is silent', [], { upstream: 'hole', code: 'upstream_timeout' }),
    rejected('takes the request and is silent', silence, { upstream: 'hasty-for-headers', code: 'upstream_timeout' }),
    rejected('hangs up', hangUp),
    rejected('resets the connection', reset),
    rejected('speaks no HTTP', garbage),
    rejected('answers 200 with a page', html()),
    rejected('answers 200 with an error inside', door.isStream ? stream([{ data: { error } }]) : json({ error })),
    rejected('answers 200 with a bomb', gzipBomb(30)),
    ...[301, 302, 303, 307, 308].map((status) => rejected(`points elsewhere with ${status}`, redirect(elsewhere, status))),
    rejected('points to a file', redirect('file:///etc/passwd')),
    rejected(
      'says two lengths',
      raw('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'),
    ),
    rejected('says a length and chunks', raw(`${head(door, 'content-length: 4\r\ntransfer-encoding: chunked')}0\r\n\r\n`)),
    rejected('pours blanks', pour(door, door.isStream ? 1 : 64)),
    ...(door.isStream ? [rejected('sends comments alone', murmur(), { upstream: 'hasty-for-events', code: 'upstream_timeout' })] : []),
  ];
};

const mime = ({ isStream }: Door): string => (isStream ? 'text/event-stream' : 'application/json');
const head = (door: Door, more: string): string => `HTTP/1.1 200 OK\r\ncontent-type: ${mime(door)}\r\n${more}\r\n\r\n`;

/** A comment every 50 ms for minutes: it does not restart the timeout of the first event. */
const murmur = (): Script =>
  stream(
    Array.from({ length: 3_000 }, () => ({ comment: ' busy' })),
    { gapMs: 50 },
  );

/** So many megabytes of blanks or comments, as fast as they are read, and then the end. */
function pour(door: Door, megabytes: number): Script {
  const kind = { 'content-type': mime(door) };
  return [
    { kind: 'head', status: 200, headers: kind, framing: 'close' },
    { kind: 'write', bytes: Buffer.alloc(1024 * 1024, door.isStream ? ':blank\n\n' : ' '), times: megabytes },
    { kind: 'end' },
  ];
}

/** The index of the frame with the second piece of the text. */
const wordsAt = (door: Door): number => framesOf(door).findIndex(({ data }) => JSON.stringify(data).includes('and b'));

/** Cases in which a stream breaks after output that the caller was shown. */
const streamCases = (door: Door): readonly Case[] => {
  const frames = framesOf(door);
  const shown = frames.slice(0, wordsAt(door) + 1);
  const broken = (title: string, rest: readonly Frame[]): Case => {
    const [end, ...ends] = stream(rest, { ending: 'fin' }).toReversed();
    const middle = ends.slice(0, -1).toReversed();
    // If both came in one packet, the failure would still be answered with its status.
    const { promise: gate, resolve: whenBegun } = Promise.withResolvers<void>();
    const seen = { kind: 'until', gate } as const;
    const script = [...stream(shown, { ending: 'fin' }).slice(0, -1), seen, ...middle, ...(end ? [end] : [])];
    return caseOf({ title, door, script, whenBegun, answers: ['broken'], bill: 'estimated' });
  };
  return [
    broken('begins a line of 10 MB that has no end', [{ raw: `data: ${'x'.repeat(10_000_000)}` }]),
    ...(isChat(door)
      ? [
          broken(
            'pours words and ends without its end',
            Array.from({ length: 10_000 }, () => frames[wordsAt(door)] ?? {}),
          ),
        ]
      : []),
  ];
};

const wholeCases = (door: Door): readonly Case[] => {
  const whole = (title: string, script: Script, bill: Case['bill']): Case => caseOf({ title, door, script, answers: ['whole'], bill });
  const lies = (title: string, usage: unknown, bill: Case['bill']): Case => whole(`says ${title}`, wellOf(door, { usage }), bill);
  const [input, output] = isChat(door) ? ['prompt_tokens', 'completion_tokens'] : ['input_tokens', 'output_tokens'];
  const honest = isChat(door) ? chatUsage : responseUsage;
  return [
    whole('is well', wellOf(door), 'reported'),
    lies('no usage', null, 'estimated'),
    lies('a negative usage', { ...honest, [input]: -5, [output]: -7 }, 'estimated'),
    lies('a usage beyond all measure', { ...honest, [input]: 900_000_000, [output]: 900_000_000 }, 'all that was held'),
    lies('a usage of words', { [input]: 'many', [output]: 'more' }, 'estimated'),
    whole('sends headers twice', twice(door), 'reported'),
    whole('drips the end byte by byte', drip(door), 'reported'),
    ...(door.isStream && isChat(door) ? [perChunk(door)] : []),
    ...(door.isStream ? [whole('sends a line of 10 MB', long(door), isChat(door) ? 'all that was held' : 'reported')] : []),
  ];
};

const long = (door: Door): Script => (isChat(door) ? longLine(10_000_000) : stream(responseFrames({ text: ['', 'x'.repeat(3_000_000)] })));

/** Each chunk has the usage so far: the last one counts. */
function perChunk(door: Door): Case {
  const frames = framesOf(door).map((frame, index) =>
    typeof frame.data === 'object' && frame.data !== null && index < framesOf(door).length - 2
      ? { data: { ...frame.data, usage: { ...chatUsage, completion_tokens: 1 + index, total_tokens: 12 + index } } }
      : frame,
  );
  return caseOf({ title: 'says its usage with each chunk', door, script: stream(frames), answers: ['whole'], bill: 'reported' });
}

function twice(door: Door): Script {
  const headers = { 'x-request-id': ['one', 'two'], 'set-cookie': ['a=1', 'a=1'], date: ['Thu, 01 Jan 1970 00:00:00 GMT', 'never'] };
  return door.isStream ? stream(framesOf(door), { headers }) : json(bodyOf(door), { headers });
}

/** The last ten bytes, one every 200 ms. */
function drip(door: Door): Script {
  const bytes = door.isStream ? Buffer.concat(framesOf(door).map((frame) => frameBytes(frame))) : Buffer.from(JSON.stringify(bodyOf(door)));
  const drops = [...bytes.subarray(-10)].flatMap((byte) => [
    { kind: 'wait', ms: 200 } as const,
    { kind: 'write', bytes: Buffer.of(byte) } as const,
  ]);
  return [
    { kind: 'head', status: 200, headers: { 'content-type': mime(door) }, framing: 'chunked' },
    { kind: 'write', bytes: bytes.subarray(0, -10) },
    ...drops,
    { kind: 'end' },
  ];
}

/** All cases but those that cut an answer at each frame or byte. */
export const matrix = (elsewhere: string): readonly Case[] => [
  ...doors.flatMap((door) => rejectedCases(door, elsewhere)),
  ...streamDoors.flatMap(streamCases),
  ...doors.flatMap(wholeCases),
];

/** The connection is reset after each byte of the answer, headers included. */
export const resets = (): readonly Case[] =>
  doors.flatMap((door) => {
    const { bytes, enough } = transcript(door);
    return Array.from({ length: bytes.length }, (_, at) =>
      caseOf({
        title: `reset behind byte ${at}`,
        door,
        hasReceipt: false,
        script: [{ kind: 'raw', bytes: bytes.subarray(0, at) }, { kind: 'reset' }],
        // A reset may overtake what was sent before it.
        answers: door.isStream ? ['rejected', 'broken', ...(at >= enough ? ['whole' as const] : [])] : ['rejected'],
      }),
    );
  });

/** The bytes on the wire, and how many of them are needed before the answer is complete. */
function transcript(door: Door): { readonly bytes: Buffer; readonly enough: number } {
  const short = { text: ['é'] };
  if (!door.isStream) {
    const body = Buffer.from(JSON.stringify(lean(bodyOf(door, short))));
    return { bytes: Buffer.concat([Buffer.from(head(door, `content-length: ${body.length}`)), body]), enough: Number.POSITIVE_INFINITY };
  }
  const frames = framesOf(door, short);
  const chunks = frames.map((frame) => {
    const bytes = frameBytes({ ...frame, data: lean(frame.data) });
    return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  });
  const start = Buffer.from(head(door, 'transfer-encoding: chunked'));
  const whole = chunks.slice(0, isChat(door) ? -2 : undefined).reduce((sum, { length }) => sum + length, start.length);
  // The last line feeds of the last frame are not needed, nor is what ends its chunk.
  return { bytes: Buffer.concat([start, ...chunks, Buffer.from('0\r\n\r\n')]), enough: whole - 4 };
}

/** Removes fields that are not needed, since each of their bytes would be a case. */
function lean(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(lean);
  const isResponse = 'object' in value && value.object === 'response';
  const kept = Object.entries(value).filter(([name]) => (isResponse ? needed.has(name) : !spare.has(name)));
  return Object.fromEntries(kept.map(([name, inner]) => [name, lean(inner)]));
}

const needed = new Set(['id', 'object', 'created_at', 'status', 'model', 'output', 'usage', 'error']);
const spare = new Set(['logprobs', 'refusal', 'service_tier', 'system_fingerprint', 'prompt_tokens_details', 'completion_tokens_details']);
