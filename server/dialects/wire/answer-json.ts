/** Parses the JSON of upstreams, up to a depth that can be written again: JSON.stringify recurses for each level. */
import { isWithin, MAX_LEVELS } from '../../../contract/bounds.ts';

/** Throws for text that is no JSON, or is nested too deeply. */
export function parseAnswer(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // A level takes two characters or more, so most events are too short to be too deep.
  if (text.length > 2 * MAX_LEVELS && !isWithin(value, MAX_LEVELS)) throw new Error(`nested deeper than ${MAX_LEVELS} levels`);
  return value;
}
