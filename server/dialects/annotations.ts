/** Citations in the text of an answer, as chat and responses upstreams give them (specification 2.3 and 2.4). */
import { type Fields, isFields } from '../../contract/rule.ts';
import type { TurnEvent } from './turn.ts';

/** Nothing for what is no annotation: strict readers would refuse the whole event. Chat nests a citation below its type; turns hold it flat. */
export function readAnnotation(value: unknown): TurnEvent[] {
  if (!isFields(value) || typeof value.type !== 'string') return [];
  const { url_citation: citation, ...rest } = value;
  return [{ kind: 'annotation', annotation: isFields(citation) ? { ...citation, ...rest } : value }];
}

/** Whether a flat citation of a page has all that chat says of one. */
export const isPageCitation = ({ type, url, title, start_index, end_index }: Fields): boolean =>
  type === 'url_citation' && typeof url === 'string' && typeof title === 'string' && isIndex(start_index) && isIndex(end_index);

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
