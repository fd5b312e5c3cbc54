/** Reads the annotations of a text as events, and checks page citations. */

import { type Fields, isFields } from '../../primitives/fields.ts';
import type { CanonicalEvent } from './canonical-events.ts';

/**
 * Returns an empty list for an invalid annotation, because strict clients would reject the entire event. Chat nests a citation under its type;
 * canonical events flatten it.
 */
export function readAnnotation(value: unknown): CanonicalEvent[] {
  if (!isTyped(value)) return [];
  const { url_citation: citation, ...rest } = value;
  return [{ kind: 'annotation', annotation: isFields(citation) ? { ...citation, ...rest } : value }];
}

const isTyped = (value: unknown): value is TypedFields => isFields(value) && typeof value.type === 'string';

type TypedFields = Fields & { readonly type: string };

/** True if a flat page citation has every field that chat requires. */
export const isPageCitation = (citation: Fields): citation is PageCitation & Fields =>
  citation.type === 'url_citation' &&
  typeof citation.url === 'string' &&
  typeof citation.title === 'string' &&
  isIndex(citation.start_index) &&
  isIndex(citation.end_index);

interface PageCitation {
  readonly type: string;
  readonly url: string;
  readonly title: string;
  readonly start_index: number;
  readonly end_index: number;
}

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
