/** Reads the JSON of upstreams: no deeper than it can be written again, since what writes JSON calls itself for each level. */
import { isWithin, MAX_LEVELS } from '../../../contract/bounds.ts';

/** Throws for what is no JSON, and for what is nested deeper than any answer. */
export function parseAnswer(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // A level takes two characters or more: hardly an event is looked through.
  if (text.length > 2 * MAX_LEVELS && !isWithin(value, MAX_LEVELS)) throw new Error(`nested deeper than ${MAX_LEVELS} levels`);
  return value;
}
