/** Formats and parses the times of the admin API. */

export const writeTime = (at: number): string => new Date(at).toISOString();

export const writeTimeOrNull = (at: number | null): string | null => (at === null ? null : writeTime(at));

export const readTimeOrNull = (text: string | null): number | null => (text === null ? null : Date.parse(text));
