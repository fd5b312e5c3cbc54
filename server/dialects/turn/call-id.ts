/** Ids of tool calls as callers get them: always `call_…`, whatever the upstream calls them (no vendor's ids leak). */

const PREFIX = 'call_';
/** Prefixes by which a vendor would be known. */
const vendorPrefix = /^(?:toolu|fc|ctc)_/;

/** The same id gives the same one each time, so that whole and streamed answers agree; none stays none. */
export function callIdFor(id: string): string {
  return id === '' || id.startsWith(PREFIX) ? id : PREFIX + id.replace(vendorPrefix, '');
}
