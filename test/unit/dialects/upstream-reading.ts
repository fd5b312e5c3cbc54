/** Reads answers of upstreams, and joins deltas so that streams and whole answers can be compared. */

import { chatCaller } from '../../../server/dialects/chat/write-answer.ts';
import { responsesCaller } from '../../../server/dialects/responses/write-answer.ts';
import type { Turn, TurnEvent, UpstreamDialect } from '../../../server/dialects/turn/turn.ts';
import { GatewayError } from '../../../server/errors.ts';

type Json = Readonly<Record<string, unknown>>;
type Failed = Extract<TurnEvent, { kind: 'failed' }>;
/** An event with its failure as a code. */
export type Joined = Exclude<TurnEvent, Failed> | { readonly kind: 'failed'; readonly code: string };

export const chatTurn = (body: Json = {}): Turn =>
  chatCaller.readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body }, 'up-model');
export const responsesTurn = (body: Json = {}): Turn => responsesCaller.readRequest({ model: 'm', input: 'hi', ...body }, 'up-model');

export const eventsOf = (frames: readonly { readonly data?: unknown; readonly event?: string }[]): readonly [Json, string | null][] =>
  // `[DONE]` is a string; all other data of the builders are objects.
  frames.flatMap(({ data, event }) => (typeof data === 'object' && data !== null ? [[data as Json, event ?? null]] : []));

export function readStream(dialect: UpstreamDialect, turn: Turn, events: readonly (readonly [Json, string | null])[]): TurnEvent[] {
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

export function join(events: readonly TurnEvent[]): Joined[] {
  const joined: Joined[] = [];
  for (const event of events) {
    const next: Joined = event.kind === 'failed' ? { kind: 'failed', code: event.error.code } : event;
    const both = withNext(joined.at(-1), next);
    if (both) joined[joined.length - 1] = both;
    else joined.push(next);
  }
  return joined;
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
