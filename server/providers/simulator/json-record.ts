/** Reads JSON values whose types are not known, without throwing. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function toRecords(value: unknown): readonly JsonRecord[] {
  return toList(value).filter(isRecord);
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function toTexts(value: unknown): readonly string[] {
  return toList(value).filter((entry) => typeof entry === 'string');
}

export function toNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Returns a string, or the joined text parts of a list. */
export function joinText(content: unknown): string {
  if (typeof content === 'string') return content;
  return toRecords(content)
    .map((part) => toText(part.text))
    .filter((text) => text !== '')
    .join('\n');
}

/** Describes how an image or file is included: its media type, "linked", "inline", or "by id". */
export function describeUrl(url: string): string {
  const mediaType = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60})/.exec(url)?.[1];
  if (mediaType) return mediaType;
  if (/^https?:/i.test(url)) return 'linked';
  return url === '' ? 'by id' : 'inline';
}
