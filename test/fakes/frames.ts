/** Server-Sent Events as the fake vendor writes them, in every legal framing. */

/** One event. A string as `data` goes out verbatim (a line feed splits it over several `data:` lines), anything else as JSON. */
export interface SseEvent {
  readonly event?: string;
  readonly data?: unknown;
  readonly id?: string;
  /** Written as a `:` line; an event of a comment alone is a heartbeat. */
  readonly comment?: string;
}

/** A piece of a transcript: an event, bytes as they are, or a place where the vendor waits for the test. */
export type Frame = SseEvent | { readonly raw: string | Uint8Array } | { readonly until: Promise<unknown> };

export interface Framing {
  readonly lineEnd?: '\n' | '\r\n' | '\r';
  /** Whether a space follows the colon of a field. */
  readonly space?: boolean;
}

/** What ends a chat stream, and a responses stream by Open Responses. */
export const done: SseEvent = { data: '[DONE]' };

export function frameBytes(frame: SseEvent | { readonly raw: string | Uint8Array }, framing: Framing = {}): Buffer {
  if ('raw' in frame) return Buffer.from(frame.raw);
  const lineEnd = framing.lineEnd ?? '\n';
  const colon = framing.space === false ? ':' : ': ';
  const lines = frame.comment === undefined ? [] : [`:${frame.comment}`];
  if (frame.event !== undefined) lines.push(`event${colon}${frame.event}`);
  if (frame.id !== undefined) lines.push(`id${colon}${frame.id}`);
  for (const line of dataLines(frame)) lines.push(`data${colon}${line}`);
  return Buffer.from(`${lines.join(lineEnd)}${lineEnd}${lineEnd}`);
}

function dataLines(frame: SseEvent): string[] {
  if (frame.data === undefined) return [];
  return (typeof frame.data === 'string' ? frame.data : JSON.stringify(frame.data)).split('\n');
}

/** The `data` of every event of a transcript, parsed where it is JSON: for tests that look at what arrived. */
export function readFrames(transcript: string | Uint8Array): { readonly event: string | null; readonly data: unknown }[] {
  return Buffer.from(transcript)
    .toString('utf8')
    .split(/\r\n\r\n|\n\n|\r\r/)
    .filter((block) => /^data:/m.test(block))
    .map((block) => ({ event: fieldOf(block, 'event')[0] ?? null, data: readData(fieldOf(block, 'data').join('\n')) }));
}

function fieldOf(block: string, name: string): string[] {
  return block
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
}

function readData(text: string): unknown {
  return text === '[DONE]' ? text : JSON.parse(text);
}
