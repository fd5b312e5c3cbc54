/** Server-Sent Events as bytes: cuts a stream into complete frames without decoding it, and takes single frames apart. */

import { isWithin, MAX_LEVELS } from '../../../contract/shared/bounds.ts';
import { type CallCode, GatewayError } from '../../errors.ts';

const LF = 0x0a;
const CR = 0x0d;
const MARK = Buffer.from('\ufeff');

/** Index after the last blank line of the chunk, or -1. */
function lastBoundary(chunk: Buffer): number {
  for (let at = chunk.length - 1; at > 0; at = chunk.lastIndexOf(LF, at - 1)) {
    if (at < 0) return -1;
    if (chunk[at] !== LF) continue;
    if (chunk[at - 1] === LF || (chunk[at - 1] === CR && chunk[at - 2] === LF)) return at + 1;
  }
  return -1;
}

/** Index after the first blank line at or after `from`, or -1. */
export function frameEnd(block: Buffer, from: number): number {
  for (let at = block.indexOf(LF, from); at >= 0; at = block.indexOf(LF, at + 1)) {
    if (block[at + 1] === LF) return at + 2;
    if (block[at + 1] === CR && block[at + 2] === LF) return at + 3;
  }
  return -1;
}

/** Joins chunks until they hold complete frames. A frame larger than `maxBytes` is an upstream's fault. */
export class FrameJoiner {
  readonly #maxBytes: number;
  #isFirst = true;
  #pending: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** All complete frames in one buffer; null if no frame is complete. */
  push(chunk: Buffer): Buffer | null {
    const end = this.#endIn(chunk);
    if (end < 0) return this.#keep(chunk);
    const head = end === chunk.length ? chunk : chunk.subarray(0, end);
    const complete = this.#size === 0 ? head : Buffer.concat([...this.#pending, head]);
    this.#pending = [];
    this.#size = 0;
    if (end < chunk.length) this.#keep(chunk.subarray(end));
    return this.#isFirst ? this.#begin(complete) : complete;
  }

  /** Removes a byte order mark at the start of the stream, which would make the first frame unreadable. */
  #begin(frames: Buffer): Buffer {
    this.#isFirst = false;
    return frames.subarray(0, MARK.length).equals(MARK) ? frames.subarray(MARK.length) : frames;
  }

  #keep(rest: Buffer): null {
    this.#pending.push(rest);
    this.#size += rest.length;
    if (this.#size > this.#maxBytes) {
      throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream sent an event that is too large.' });
    }
    return null;
  }

  /** A blank line may be split across chunks, so the last pending bytes are searched too. */
  #endIn(chunk: Buffer): number {
    const end = lastBoundary(chunk);
    if (end >= 0 || this.#size === 0) return end;
    const tail = Buffer.concat(this.#pending.slice(-3)).subarray(-3);
    const seam = Buffer.concat([tail, chunk.subarray(0, 3)]);
    const across = lastBoundary(seam);
    return across > tail.length ? across - tail.length : -1;
  }
}

/** Calls `each` with every frame of a block of complete frames. */
export function eachFrame(block: Buffer, each: (frame: Buffer) => void): void {
  for (let from = 0; from < block.length; ) {
    const end = frameEnd(block, from);
    const to = end < 0 ? block.length : end;
    each(from === 0 && to === block.length ? block : block.subarray(from, to));
    from = to;
  }
}

export interface Passed {
  readonly out: Buffer;
  readonly failure: GatewayError | null;
}

/** Calls `pass` with every frame of a block until one fails; the caller still gets the frames before that. */
export function passEach(block: Buffer, pass: (frame: Buffer) => Buffer): Passed {
  const out: Buffer[] = [];
  let failure: GatewayError | null = null;
  try {
    eachFrame(block, (frame) => out.push(pass(frame)));
  } catch (thrown) {
    // An unexpected error in a reader means a response of unknown form: the upstream's fault, not the gateway's.
    failure = thrown instanceof GatewayError ? thrown : new GatewayError<CallCode>('upstream_error', { cause: thrown });
  }
  return { out: out.length === 1 && out[0] ? out[0] : Buffer.concat(out), failure };
}

/** The `data` of a frame as text; null for a comment. */
export function frameData(frame: Buffer): string | null {
  const lines = frame.toString().split(/\r\n|\n|\r/);
  const data = lines.filter((line) => line === 'data' || line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''));
  return data.length === 0 ? null : data.join('\n');
}

/** The JSON object in a frame; null if the frame has no data, or is `[DONE]`. */
export function frameObject(frame: Buffer): Record<string, unknown> | null {
  const data = frameData(frame);
  if (data === null || data === '' || data === '[DONE]') return null;
  const value = parse(data);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidResponseError();
  // Checked right above to be an object and no array.
  return value as Record<string, unknown>;
}

function parse(data: string): unknown {
  try {
    return parseAnswer(data);
  } catch (cause) {
    throw invalidResponseError(cause);
  }
}

const invalidResponseError = (cause?: unknown) =>
  new GatewayError<CallCode>('upstream_error', { message: "The upstream sent an event that isn't a JSON object.", cause });

export const NOTHING = Buffer.alloc(0);

/** For a frame without an object: a comment is forwarded; empty data isn't, since it breaks some clients, nor is `[DONE]`, which we write. */
export function withoutData(frame: Buffer): Buffer {
  return frameData(frame) === null ? frame : NOTHING;
}

export const DONE = Buffer.from('data: [DONE]\n\n');
export const HEARTBEAT = Buffer.from(': keepalive\n\n');

/** The type argument states the shape of the frame: a type of the contract, or of another's format. */
export function dataFrame<Shape extends object = never>(value: NoInfer<Shape>): Buffer {
  return Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
}

export function eventFrame<Shape extends object = never>(name: string, value: NoInfer<Shape>): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`);
}

/** Whether a frame is `data: [DONE]`, the end of a stream in both text protocols. */
export const isDone = (frame: Buffer): boolean => frame.length < 32 && frameData(frame) === '[DONE]';

const PREFIX = Buffer.from('event: ');

/** The event name of a frame, read without decoding its data; null if the frame doesn't begin with one. */
export function eventName(frame: Buffer): string | null {
  if (frame.length < PREFIX.length || PREFIX.compare(frame, 0, PREFIX.length) !== 0) return null;
  return frame.toString('latin1', PREFIX.length, frame.indexOf(LF)).trimEnd();
}

/** Characters that are kept; above this, every second sample is dropped, so that the rest is spread evenly. */
const MAX_KEPT = 64 * 1024;
/** Characters of one sample. */
const SAMPLE = 512;

export class Produced {
  #samples: string[] = [];
  /** The sample that isn't full yet. */
  #open: string[] = [];
  #openLength = 0;
  /** One of this many samples is kept. */
  #stride = 1;
  #seen = 0;
  #length = 0;

  add(text: string): void {
    this.#length += text.length;
    for (let at = 0; at < text.length; ) {
      const piece = text.slice(at, at + SAMPLE - this.#openLength);
      at += piece.length;
      this.#openLength += piece.length;
      if (this.#seen % this.#stride === 0) this.#open.push(piece);
      if (this.#openLength === SAMPLE) this.#close();
    }
  }

  #close(): void {
    if (this.#seen % this.#stride === 0) this.#samples.push(ownCopy(this.#open.join('')));
    this.#open = [];
    this.#openLength = 0;
    this.#seen += 1;
    if (this.#samples.length * SAMPLE < MAX_KEPT) return;
    this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }

  /** The length of the whole text. */
  get length(): number {
    return this.#length;
  }

  /** The whole text, or samples spread evenly over it. */
  get text(): string {
    return this.#samples.join('') + this.#open.join('');
  }

  /** The length of the whole text divided by that of `text`; 1 when everything was kept. */
  get scale(): number {
    const kept = this.text.length;
    return this.#length > kept && kept > 0 ? this.#length / kept : 1;
  }
}

/** Copies the text: a slice would keep the whole string in memory. */
const ownCopy = (piece: string): string => Buffer.from(piece, 'utf16le').toString('utf16le');

/** Adds the text of every field that `openings` matches; a match is the name, the colon and the opening quote. */
export function addTexts(produced: Produced, json: string, openings: RegExp): void {
  // Not `matchAll`, which makes a copy of the pattern each time.
  openings.lastIndex = 0;
  while (openings.test(json)) {
    const start = openings.lastIndex;
    produced.add(unescaped(json.slice(start, closingQuote(json, start))));
  }
}

/** The index of the quote that ends the JSON string starting here. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    // Not valid JSON: count the raw text.
    return text;
  }
}

/** Matches the fields that carry text in a complete response. */
const said = /"(?:content|arguments|input|reasoning_content|reasoning|refusal|text)"\s*:\s*"/g;

/** The text of a complete response. */
export function textOfAnswer(bytes: Buffer): Produced {
  const produced = new Produced();
  addTexts(produced, bytes.toString(), said);
  return produced;
}

/** Throws for text that isn't JSON, or is nested too deeply. */
export function parseAnswer(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // A level takes two characters or more, so most events are too short to be too deep.
  if (text.length > 2 * MAX_LEVELS && !isWithin(value, MAX_LEVELS)) throw new Error(`nested more than ${MAX_LEVELS} levels deep`);
  return value;
}
