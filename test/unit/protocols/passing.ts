/** Passes the bytes of an upstream's stream to a caller in any pieces, like the relay but without sockets and clocks. */

import { type GatewayError, toGatewayError } from '../../../server/primitives/errors.ts';
import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import { translate } from '../../../server/protocols/canonical/translate.ts';
import { chatCallerDialect, chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { chatRelay } from '../../../server/protocols/chat/relay.ts';
import { converseDialect } from '../../../server/protocols/converse/dialect.ts';
import { geminiDialect } from '../../../server/protocols/gemini/dialect.ts';
import { responsesCallerDialect, responsesUpstreamDialect } from '../../../server/protocols/responses/dialect.ts';
import { responsesRelay } from '../../../server/protocols/responses/relay.ts';
import type { StreamReader } from '../../../server/protocols/stream-reader.ts';
import { FrameJoiner } from '../../../server/protocols/wire/frames.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
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
  chat: chatUpstreamDialect,
  responses: responsesUpstreamDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
  converse: converseDialect,
};
const callers = { chat: chatCallerDialect, responses: responsesCallerDialect };
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

const names = { requested: 'any-model', upstream: 'up-model' };

/** A new reader for a pair, with the same ids and times each time. */
export const openReader = (pair: Pair): StreamReader => openers[pair.caller][pair.kind]();

type Open = () => StreamReader;

/** The request is read once for thousands of readers. */
function opener({ caller, kind }: Pair): Open {
  if (caller === kind) return () => relays[caller].readStream(createJsonBody(bodies[caller]), names);
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
      out.push(reader.transform(frames));
      if (reader.failure) throw reader.failure;
      if (reader.isComplete) break;
    }
    out.push(reader.flush());
    return { out: Buffer.concat(out).toString(), failure: null };
  } catch (thrown) {
    const failure = toGatewayError(thrown);
    return { out: Buffer.concat([...out, reader.fail(failure)]).toString(), failure };
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
