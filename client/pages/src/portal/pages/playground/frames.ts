/** Parses Server-Sent Events as they arrive: their text, time, and data, and whether their order is valid. */

export interface Frame {
  /** The event's text, without the blank line that ends it. */
  readonly raw: string;
  /** Milliseconds after the call was sent. */
  readonly at: number;
  /** The event's `event:`, otherwise `type` or `object` of its data; `[DONE]`, or `comment` for a heartbeat. */
  readonly type: string;
  /** Its data as JSON. Null without data. */
  readonly data: Fields | null;
}
export type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
/** The objects of a list. Empty if it isn't a list. */
export const toList = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
export type Tab = 'responses' | 'chat' | 'images';

/** Complete events of the text so far, and the start of an incomplete one. */
export function splitFrames(text: string, at: number): { readonly frames: readonly Frame[]; readonly rest: string } {
  const pieces = text.split(/\r?\n\r?\n/);
  const rest = pieces.pop() ?? '';
  return { frames: pieces.filter((piece) => piece !== '').map((raw) => readFrame(raw, at)), rest };
}

function readFrame(raw: string, at: number): Frame {
  const lines = raw.split(/\r?\n/);
  const getValues = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
  const text = getValues('data').join('\n');
  const data = text === '[DONE]' ? null : parseFields(text);
  const [named] = getValues('event');
  const own = data?.type ?? (data?.error === undefined ? data?.object : 'error');
  const type = named ?? (text === '[DONE]' ? text : typeof own === 'string' ? own : 'comment');
  return { raw, at, type, data };
}

/** Parses a JSON object. Null for anything else. */
export function parseFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    // `as`: an object, and every field is checked before use.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

const endings = ['response.completed', 'response.incomplete', 'response.failed'];

/** The problem of an ended stream. Null if it's complete and in order. */
export function findFault(tab: Tab, frames: readonly Frame[]): string | null {
  const shown = frames.filter(({ type }) => type !== 'comment');
  const error = shown.find(({ type, data }) => type === 'error' || type === 'response.failed' || data?.error != null);
  if (error) return 'error';
  if (tab === 'images') return shown.at(-1)?.type.endsWith('.completed') ? null : 'cut';
  if (shown.at(-1)?.type !== '[DONE]') return 'cut';
  return tab === 'responses' ? findResponseFault(shown.slice(0, -1)) : null;
}

function findResponseFault(shown: readonly Frame[]): string | null {
  if (shown[0]?.type !== 'response.created') return 'order';
  if (shown.filter(({ type }) => endings.includes(type)).length !== 1 || !endings.includes(shown.at(-1)?.type ?? '')) return 'order';
  return shown.every(({ data }, index) => data?.sequence_number === index) ? null : 'order';
}
