/** Citations in the text of an answer, as chat and responses upstreams give them. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { TurnEvent } from './turn.ts';

/** Empty for a value that is no annotation: strict clients would refuse the whole event. Chat nests a citation below its type; a turn holds it flat. */
export function readAnnotation(value: unknown): TurnEvent[] {
  if (!isTyped(value)) return [];
  const { url_citation: citation, ...rest } = value;
  return [{ kind: 'annotation', annotation: isFields(citation) ? { ...citation, ...rest } : value }];
}

const isTyped = (value: unknown): value is Typed => isFields(value) && typeof value.type === 'string';
type Typed = Fields & { readonly type: string };

/** Whether a flat citation of a page has every field that chat requires. */
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
