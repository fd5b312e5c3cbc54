/** Remembers which optional fields a provider rejects for a model, so that they are omitted for a while (decision 0039). */

import type { Candidate } from '../config/model-catalog.ts';
import type { Fields } from '../primitives/fields.ts';
import { findChatEffort, isReasoningEffort } from '../protocols/canonical/reasoning-effort.ts';
import type { OptionalField } from '../protocols/optional-fields.ts';
import { REMEMBERED_MS } from './protocol-choice.ts';

export interface RejectedFields {
  /** Returns the fields that the candidate's provider rejects in this kind of request. */
  find(candidate: Candidate, request: Fields): readonly OptionalField[];
  learn(candidate: Candidate, request: Fields, field: OptionalField): void;
}

const NONE: readonly OptionalField[] = [];

/** `now`: a monotonic clock, in milliseconds. */
export function openRejectedFields(now: () => number = () => performance.now()): RejectedFields {
  /** When each omitted field expires, by upstream, upstream model and effort. Bounded by the number of candidates times efforts. */
  const learned = new Map<string, Map<OptionalField, number>>();
  return {
    find(candidate, request) {
      const found = learned.size > 0 ? learned.get(toCacheKey(candidate, request)) : undefined;
      return found ? [...found].flatMap(([field, until]) => (until > now() ? [field] : [])) : NONE;
    },
    learn(candidate, request, field) {
      const key = toCacheKey(candidate, request);
      const fields = learned.get(key) ?? new Map<OptionalField, number>();
      learned.set(key, fields.set(field, now() + REMEMBERED_MS));
    },
  };
}

/** Some models reject only some efforts, or sampling fields only with an effort. An unknown effort counts as an absent one. */
function toCacheKey({ upstream, upstreamModel }: Candidate, request: Fields): string {
  const effort = findChatEffort(request);
  return `${upstream} ${upstreamModel} ${isReasoningEffort(effort) ? effort : ''}`;
}
