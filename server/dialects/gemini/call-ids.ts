/** Ids of calls: one that the vendor gave can be read off the caller's, and goes back as it came. The vendor refuses or ignores what it never gave. */
import { callIdFor } from '../turn/call-id.ts';
import { shortHash } from '../turn/tool-names.ts';

/** The id for the caller: the vendor's, and a mark by which it is known again. Empty where the vendor gave none. */
export function markId(given: string): string {
  const shown = callIdFor(given);
  const isWhole = given !== '' && shown.endsWith(given);
  return isWhole ? `${shown}_${shortHash(given)}` : shown;
}

/** The id that the vendor gave; null where the gateway, a caller or another vendor made it. */
export function givenId(callId: string): string | null {
  const [, shown = '', bare = '', mark] = /^(call_(.+))_([0-9a-f]{8})$/s.exec(callId) ?? [];
  return [shown, bare].find((id) => shortHash(id) === mark) ?? null;
}
