/** Splits a data URL, for upstreams that have separate fields for the media type and the data. */

export interface InlineData {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

const SCHEME = 'data:';
const BASE64 = ';base64';

/**
 * Null for any other URL, and for data that isn't base64. Doesn't inspect the data, which can be megabytes. The head can be just as long, so a
 * regular expression could backtrack through it.
 */
export function readDataUrl(url: string): InlineData | null {
  const commaIndex = url.indexOf(',');
  const head = url.slice(0, Math.max(commaIndex, 0));
  const typeEnd = head.indexOf(';');
  const isBase64 = head.slice(-BASE64.length).toLowerCase() === BASE64;
  if (head.slice(0, SCHEME.length).toLowerCase() !== SCHEME || !isBase64 || typeEnd <= SCHEME.length) return null;
  return { mediaType: head.slice(SCHEME.length, typeEnd).toLowerCase(), data: url.slice(commaIndex + 1) };
}
