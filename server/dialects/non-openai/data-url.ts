/** Splits a data URL, for upstreams that have separate fields for the media type and the data. */

export interface InlineData {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

const SCHEME = 'data:';
const BASE64 = ';base64';

/**
 * Null for any other address, and for data that isn't base64. The data itself isn't looked at: it can be megabytes. So can the
 * head, whose settings a pattern would go through one by one, and back.
 */
export function readDataUrl(url: string): InlineData | null {
  const comma = url.indexOf(',');
  const head = url.slice(0, Math.max(comma, 0));
  const kind = head.indexOf(';');
  const isBase64 = head.slice(-BASE64.length).toLowerCase() === BASE64;
  if (head.slice(0, SCHEME.length).toLowerCase() !== SCHEME || !isBase64 || kind <= SCHEME.length) return null;
  return { mediaType: head.slice(SCHEME.length, kind).toLowerCase(), data: url.slice(comma + 1) };
}
