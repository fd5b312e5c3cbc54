/** Ids of tool calls as callers get them: always `call_…`, so that no vendor's prefix shows. */

const PREFIX = 'call_';
/** Prefixes that would show the vendor. */
const vendorPrefix = /^(?:toolu|fc|ctc)_/;

/** Deterministic, so that whole and streamed answers agree; an empty id stays empty. */
export function callIdFor(id: string): string {
  return id === '' || id.startsWith(PREFIX) ? id : PREFIX + id.replace(vendorPrefix, '');
}
