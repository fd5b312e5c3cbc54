/** Ids of tool calls as callers get them: always `call_…` or `call-…`, so that no vendor's prefix shows. */

const PREFIX = 'call_';
const isNeutral = /^call[_-]/;
/** Prefixes that would show the vendor. */
const vendorPrefix = /^(?:toolu|tooluse|fc|ctc)_/;

/** Deterministic, so that whole and streamed answers agree; an empty id stays empty. */
export function callIdFor(id: string): string {
  return id === '' || isNeutral.test(id) ? id : PREFIX + id.replace(vendorPrefix, '');
}
