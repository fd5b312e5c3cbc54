/** Takes a data URL apart, for upstreams that want the kind of the data and the data in fields of their own. */

export interface InlineData {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** Null for any other address, and for data that is not base64. The data itself is not looked at: it can be megabytes. */
export function readDataUrl(url: string): InlineData | null {
  const comma = url.indexOf(',');
  const head = /^data:([^;,]+)(?:;[^;,]*)*;base64$/i.exec(url.slice(0, Math.max(comma, 0)));
  return head?.[1] === undefined ? null : { mediaType: head[1].toLowerCase(), data: url.slice(comma + 1) };
}
