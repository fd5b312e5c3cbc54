/** Passes the bytes of an upstream's stream to a caller in any pieces, like the relay but without sockets and clocks. */
import { anthropicUpstream } from '../../../server/dialects/anthropic/answer.ts';
import { chatUpstream } from '../../../server/dialects/chat/read-answer.ts';
import { chatRelay } from '../../../server/dialects/chat/relay.ts';
import { chatCaller } from '../../../server/dialects/chat/write-answer.ts';
import { converseUpstream } from '../../../server/dialects/converse/answer.ts';
import type { StreamReader } from '../../../server/dialects/failure.ts';
import { geminiUpstream } from '../../../server/dialects/gemini/answer.ts';
import { responsesUpstream } from '../../../server/dialects/responses/read-answer.ts';
import { responsesRelay } from '../../../server/dialects/responses/relay.ts';
import { responsesCaller } from '../../../server/dialects/responses/write-answer.ts';
import { translate } from '../../../server/dialects/turn/translation.ts';
import { FrameJoiner } from '../../../server/dialects/wire/frames.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import { asGatewayError, type GatewayError } from '../../../server/errors.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import type { Kind } from './arbitrary-items.ts';

export type Caller = 'chat' | 'responses';
export interface Pair {
  readonly caller: Caller;
  readonly kind: Kind;
}
export const kinds = ['chat', 'responses', 'anthropic', 'gemini', 'converse'] as const;
export const pairs: readonly Pair[] = (['chat', 'responses'] as const).flatMap((caller) => kinds.map((kind) => ({ caller, kind })));
export const isLike = ({ caller, kind }: Pair): boolean => caller === kind;

const upstreams = {
  chat: chatUpstream,
  responses: responsesUpstream,
  anthropic: anthropicUpstream,
  gemini: geminiUpstream,
  converse: converseUpstream,
};
const callers = { chat: chatCaller, responses: responsesCaller };
const relays = { chat: chatRelay, responses: responsesRelay };

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
export const bodies = {
  chat: {
    model: 'any-model',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
    stream_options: { include_usage: true },
    tools: [
      { type: 'function', function: { name: 'get_rain', parameters } },
      { type: 'custom', custom: { name: 'apply_patch' } },
    ],
  },
  responses: {
    model: 'any-model',
    input: 'Hi',
    stream: true,
    include: ['reasoning.encrypted_content'],
    tools: [
      { type: 'function', name: 'get_rain', parameters },
      { type: 'custom', name: 'apply_patch' },
    ],
  },
} as const;

const names = { asked: 'any-model', upstream: 'up-model' };

/** A new reader for a pair, with the same ids and times each time. */
export const openReader = (pair: Pair): StreamReader => openers[pair.caller][pair.kind]();

type Open = () => StreamReader;

/** The request is read once for thousands of readers. */
function opener({ caller, kind }: Pair): Open {
  if (caller === kind) return () => relays[caller].readStream(jsonBody(bodies[caller]), names);
  let ids = 0;
  const newId = (prefix: string) => `${prefix}_${++ids}`;
  const head = { ...createHead(caller === 'chat' ? 'chatcmpl' : 'resp', bodies[caller]), newId };
  const translation = translate({
    caller: callers[caller],
    upstream: upstreams[kind],
    body: bodies[caller],
    bytes: 1000,
    model: 'up-model',
    head,
  });
  return () => {
    ids = 0;
    return translation.readStream();
  };
}

const openersOf = (caller: Caller): Readonly<Record<Kind, Open>> => ({
  chat: opener({ caller, kind: 'chat' }),
  responses: opener({ caller, kind: 'responses' }),
  anthropic: opener({ caller, kind: 'anthropic' }),
  gemini: opener({ caller, kind: 'gemini' }),
  converse: opener({ caller, kind: 'converse' }),
});
const openers = { chat: openersOf('chat'), responses: openersOf('responses') };

export interface Passed {
  readonly out: string;
  /** Null for a complete answer. */
  readonly failure: GatewayError | null;
}

const MAX_FRAME_BYTES = 1024 * 1024;

/** The output to the caller for these pieces; the upstream ends after the last one. */
export function pass(pair: Pair, pieces: Iterable<Buffer>): Passed {
  const reader = openReader(pair);
  const joiner = new FrameJoiner(MAX_FRAME_BYTES);
  const out: Buffer[] = [];
  try {
    for (const piece of pieces) {
      const frames = joiner.push(piece);
      if (frames === null) continue;
      out.push(reader.pass(frames));
      if (reader.failure) throw reader.failure;
      if (reader.isComplete) break;
    }
    out.push(reader.closing());
    return { out: Buffer.concat(out).toString(), failure: null };
  } catch (thrown) {
    const failure = asGatewayError(thrown);
    return { out: Buffer.concat([...out, reader.failing(failure)]).toString(), failure };
  }
}

export const inBytes = (bytes: Buffer): Buffer[] => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

/** Pieces of these sizes, repeated. */
export function inPieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
