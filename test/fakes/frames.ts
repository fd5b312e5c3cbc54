/** Writes Server-Sent Events in every legal framing. */

/** One event. `data`: a string is sent unchanged (each line as its own `data:` line), any other value as JSON. */
export interface SseEvent {
  readonly event?: string;
  readonly data?: unknown;
  readonly id?: string;
  /** Written as a line that begins with `:`. An event with only a comment is a heartbeat. */
  readonly comment?: string;
}

/** A part of a stream: an event, raw bytes, or a promise that the vendor waits for. */
export type Frame = SseEvent | { readonly raw: string | Uint8Array } | { readonly until: Promise<unknown> };

export interface Framing {
  readonly lineEnd?: '\n' | '\r\n' | '\r';
  /** Whether to write a space after the colon of a field. */
  readonly space?: boolean;
}

/** The last event of a chat stream, and of a responses stream by Open Responses. */
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

/** The `data` of each event of a stream, parsed when it is JSON. */
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
