/** The losses of events in a stream of each OpenAI protocol, each with its reason and as a function. */

import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';

type Events = readonly CanonicalEvent[];
export interface EventLoss {
  readonly what: string;
  readonly why: string;
  readonly apply: (events: Events) => Events;
}

const each = (change: (event: CanonicalEvent) => readonly CanonicalEvent[]) => (events: Events) => events.flatMap(change);
const not = (...kinds: readonly CanonicalEvent['kind'][]) => each((event) => (kinds.includes(event.kind) ? [] : [event]));

const start: EventLoss = {
  what: 'whether the upstream told its start',
  why: 'every stream opens once',
  apply: (events) => [{ kind: 'start' }, ...not('start')(events)],
};
const empty: EventLoss = {
  what: 'pieces without text',
  why: 'they would open what never gets any content',
  apply: each((event) => ('text' in event && event.text === '' ? [] : [event])),
};
const usage = (place: 'ahead of' | 'behind'): EventLoss => ({
  what: 'all usages but the last, and its place',
  why: `it is told ${place} the end`,
  apply: (events) => {
    const last = events.findLast(({ kind }) => kind === 'usage');
    if (last === undefined) return events;
    return not('usage')(events).flatMap((event) => {
      if (event.kind !== 'finish') return [event];
      return place === 'behind' ? [event, last] : [last, event];
    });
  },
});
const reason: EventLoss = {
  what: 'whether a natural end is called `stop` or `tool_calls`',
  why: 'the calls decide',
  apply: (events) => {
    const natural = events.some(({ kind }) => kind === 'call') ? 'tool_calls' : 'stop';
    return events.map((event) =>
      event.kind === 'finish' && (event.reason === 'stop' || event.reason === 'tool_calls') ? { ...event, reason: natural } : event,
    );
  },
};

const isCut = (event: CanonicalEvent) => event.kind === 'finish' && (event.reason === 'length' || event.reason === 'content_filter');
const noArguments: EventLoss = {
  what: 'that a function was called without any arguments',
  why: 'clients parse them: `{}` is written, unless the answer was cut',
  apply: (events) => {
    if (events.some(isCut)) return events;
    const filled = new Set(events.flatMap((event) => (event.kind === 'arguments' ? [event.index] : [])));
    const given = events.flatMap((event): CanonicalEvent[] =>
      event.kind === 'call' && event.form === 'function' && !filled.has(event.index)
        ? [{ kind: 'arguments', index: event.index, text: '{}' }]
        : [],
    );
    const end = events.findIndex(({ kind }) => kind === 'finish');
    return end < 0 ? events : events.toSpliced(end, 0, ...given);
  },
};

/** A part of reasoning ends with another number, or with another event of output. */
const paragraphs: EventLoss = {
  what: 'the numbers of paragraphs',
  why: 'they are counted over the whole answer',
  apply: (events) => {
    let part = -1;
    let before: number | null = null;
    return events.map((event) => {
      if (event.kind === 'reasoning') {
        if (event.part !== before) part++;
        before = event.part;
        return { ...event, part };
      }
      if (['text', 'refusal', 'annotation', 'call', 'encrypted'].includes(event.kind)) before = null;
      return event;
    });
  },
};

const kept = new Set(['context_length_exceeded', 'invalid_value', 'rate_limit_exceeded', 'upstream_unavailable']);
const known = (code: string): string => (kept.has(code) ? code : 'upstream_error');

/** An event, with a failure as its code and param. */
export type Loss =
  | Exclude<CanonicalEvent, { kind: 'failed' }>
  | { readonly kind: 'failed'; readonly code: string; readonly param: string | null };
export const withCodes = (events: Events, codeOf: (code: string) => string = (code) => code): Loss[] =>
  events.map((event) => {
    if (event.kind !== 'failed') return event;
    const code = codeOf(event.error.code);
    return { kind: 'failed', code, param: event.error.status === 400 ? event.error.param : null };
  });
/** Codes on which clients act are kept; the others become upstream_error. */
export const withKnownCodes = (events: Events): Loss[] => withCodes(events, known);

/** They are applied in this order. */
export const chatEventLosses: readonly EventLoss[] = [
  start,
  { what: 'thoughts and what seals them', why: 'chat has no field for them', apply: not('reasoning', 'encrypted') },
  empty,
  {
    what: 'citations of anything but pages',
    why: 'chat knows no others',
    apply: each((event) => (event.kind === 'annotation' && event.annotation.type !== 'url_citation' ? [] : [event])),
  },
  {
    what: 'namespaces',
    why: 'chat names are flat',
    apply: each((event) => [event.kind === 'call' ? { ...event, namespace: null } : event]),
  },
  noArguments,
  reason,
  usage('behind'),
];

export const responsesEventLosses: readonly EventLoss[] = [
  start,
  empty,
  paragraphs,
  {
    what: 'that the bytes of a token are not known',
    why: 'SDK types make them a list',
    apply: each((event) => {
      if (event.kind !== 'text' || event.logprobs === undefined) return [event];
      const list = <T extends { readonly bytes: readonly number[] | null }>(token: T) => ({ ...token, bytes: token.bytes ?? [] });
      return [{ ...event, logprobs: event.logprobs.map((token) => ({ ...list(token), top: token.top.map(list) })) }];
    }),
  },
  noArguments,
  reason,
  usage('ahead of'),
];
