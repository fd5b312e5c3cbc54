/** Parses the received bytes of multipart/form-data, so that a test can compare each part. */

export interface Part {
  readonly name: string;
  /** Null for a text field. */
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly bytes: Buffer;
}

/** The parts of a form. Throws on any deviation from the format, because the gateway must write correct forms. */
export function readMultipart(body: Buffer, contentType: string): Part[] {
  const found = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw new Error('multipart without a boundary');
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: Part[] = [];
  let at = whole.indexOf(delimiter);
  if (at !== 0) throw new Error('multipart does not begin with its boundary');
  for (;;) {
    const from = at + delimiter.length;
    const after = whole.toString('latin1', from, from + 2);
    if (after === '--') return parts;
    if (after !== '\r\n') throw new Error('a boundary is followed by neither a line end nor --');
    at = whole.indexOf(delimiter, from);
    if (at < 0) throw new Error('multipart without its last boundary');
    parts.push(readPart(whole.subarray(from + 2, at)));
  }
}

function readPart(bytes: Buffer): Part {
  const border = bytes.indexOf('\r\n\r\n');
  if (border < 0) throw new Error('a part without headers');
  const headers = bytes.toString('utf8', 0, border);
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(headers)?.[1] ?? '';
  const name = parameter(disposition, 'name');
  if (name === null) throw new Error('a part without a name');
  return {
    name,
    filename: parameter(disposition, 'filename'),
    contentType: /^content-type:\s*(.*?)\s*$/im.exec(headers)?.[1] ?? null,
    bytes: bytes.subarray(border + 4),
  };
}

/** Browsers and SDKs write only quotes, CR and LF in a name as %22, %0D and %0A. */
function parameter(disposition: string, name: string): string | null {
  const value = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return value?.replace(/%(22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped)) ?? null;
}
