/** Reads answers of upstreams, and joins deltas so that streams and whole answers can be compared. */

import { GatewayError } from '../../../server/primitives/errors.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import type { CanonicalRequest } from '../../../server/protocols/canonical/canonical-request.ts';
import { chatCallerDialect } from '../../../server/protocols/chat/dialect.ts';
import type { UpstreamDialect } from '../../../server/protocols/dialect.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';

type Json = Readonly<Record<string, unknown>>;
type Failed = Extract<CanonicalEvent, { kind: 'failed' }>;
/** An event with its failure as a code. */
export type Joined = Exclude<CanonicalEvent, Failed> | { readonly kind: 'failed'; readonly code: string };

export const chatTurn = (body: Json = {}, model = 'up-model'): CanonicalRequest =>
  chatCallerDialect.readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body }, model);
export const responsesTurn = (body: Json = {}, model = 'up-model'): CanonicalRequest =>
  responsesCallerDialect.readRequest({ model: 'm', input: 'hi', ...body }, model);

export const eventsOf = (frames: readonly { readonly data?: unknown; readonly event?: string }[]): readonly [Json, string | null][] =>
  // `[DONE]` is a string; all other data of the builders are objects.
  frames.flatMap(({ data, event }) => (typeof data === 'object' && data !== null ? [[data as Json, event ?? null]] : []));

export function readStream(
  dialect: UpstreamDialect,
  turn: CanonicalRequest,
  events: readonly (readonly [Json, string | null])[],
): CanonicalEvent[] {
  const reader = dialect.openStream(turn);
  return [...events.flatMap(([data, name]) => reader.read(data, name)), ...reader.end()];
}

function withNext(last: Joined | undefined, event: Joined): Joined | null {
  if (last?.kind === 'text' && event.kind === 'text') {
    const logprobs = [...(last.logprobs ?? []), ...(event.logprobs ?? [])];
    return { kind: 'text', text: last.text + event.text, ...(logprobs.length > 0 && { logprobs }) };
  }
  if (last?.kind === 'refusal' && event.kind === 'refusal') return { ...last, text: last.text + event.text };
  if (last?.kind === 'reasoning' && event.kind === 'reasoning' && last.part === event.part)
    return { ...last, text: last.text + event.text };
  if (last?.kind === 'arguments' && event.kind === 'arguments' && last.index === event.index)
    return { ...last, text: last.text + event.text };
  return null;
}

export function join(events: readonly CanonicalEvent[]): Joined[] {
  const joined: Joined[] = [];
  for (const event of events) {
    const next: Joined = event.kind === 'failed' ? { kind: 'failed', code: event.error.code } : event;
    const both = withNext(joined.at(-1), next);
    if (both) joined[joined.length - 1] = both;
    else joined.push(next);
  }
  return joined;
}

/** Joins deltas and keeps only the last usage, so that a stream can be compared with a whole answer. */
export function settle(events: readonly CanonicalEvent[]): Joined[] {
  const last = events.findLastIndex(({ kind }) => kind === 'usage');
  return join(events.filter(({ kind }, at) => kind !== 'usage' || at === last));
}

/** The refusal of a request, as `code param`. */
export function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return `${thrown.code} ${thrown.param}`;
    throw thrown;
  }
  return 'accepted';
}
