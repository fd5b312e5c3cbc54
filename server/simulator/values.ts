/** Guards that read what a caller sent: the gateway has checked it, the compiler does not know. */

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
