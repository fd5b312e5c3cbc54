/** Stores a response while it passes: writes the gateway's fields into it, and has it on disk before its terminal event is sent. */

import { randomUUID } from 'node:crypto';
import { PassThroughReader, type StreamReader, type WholeAnswer } from '../dialects/failure.ts';
import { hasOutput, OUTPUT, outputOf, USUAL_TYPE } from '../dialects/responses/read-request.ts';
import { type EchoedFields, echoInFrames, echoInWhole } from '../dialects/responses/relay.ts';
import type { GatewayError } from '../errors.ts';
import { type Fields, isFields } from '../primitives/fields.ts';

export interface Recording {
  /** The fields that an upstream can't know because it stores nothing. */
  readonly echo: EchoedFields;
  /** Called with the finished response; null if the response isn't stored. */
  readonly save: ((response: Fields) => void) | null;
  /** Resolves when the saved response is on disk; the terminal event waits for it. */
  readonly saved: () => Promise<void>;
  /** Called with all bytes of the response, to record which upstream made its encrypted reasoning; null if a dialect of the gateway packed the reasoning with its provider. */
  readonly note: ((bytes: Buffer) => void) | null;
}

/** Whether the response is neither changed nor stored. */
const isSilent = ({ echo, save }: Recording): boolean => save === null && Object.keys(echo).length === 0;

/** A complete response: gets the gateway's fields, then is stored. A response that the gateway wrote has them already and isn't parsed again. */
export function recordWhole({ bytes, written }: Pick<WholeAnswer, 'bytes' | 'written'>, recording: Recording): Buffer {
  const { echo, save, note } = recording;
  note?.(bytes);
  if (isSilent(recording)) return bytes;
  const echoed = written ? { bytes, response: written } : echoInWhole(bytes, echo);
  if (echoed) save?.(echoed.response);
  return echoed?.bytes ?? bytes;
}

/** A stream: each event that holds the response gets the gateway's fields, and the response of the last one is stored. Events that the gateway wrote pass unchanged. */
export class RecordingReader extends PassThroughReader {
  readonly #recording: Recording;
  readonly #isSilent: boolean;

  constructor(inner: StreamReader, recording: Recording) {
    super(inner);
    this.#recording = recording;
    this.#isSilent = isSilent(recording);
  }

  override pass(frames: Buffer): Buffer {
    return this.#record(super.pass(frames));
  }
  override closing(): Buffer {
    const last = this.#record(super.closing());
    const finished = this.inner.written?.finished;
    if (finished) this.#recording.save?.(finished);
    return last;
  }
  override failing(error: GatewayError): Buffer {
    return this.#record(super.failing(error));
  }

  #record(block: Buffer): Buffer {
    const { note, echo, save } = this.#recording;
    note?.(block);
    return this.#isSilent || this.inner.written ? block : echoInFrames(block, echo, (response) => save?.(response));
  }
}

/** A text of at least so many characters is written as bytes. */
const LONG = 65_536;
/** So many characters of a long text are escaped at a time. */
const AT_ONCE = 32_768;

/** A long text in a JSON document. `bytes` is its written length, with its quotes. */
interface LongText {
  readonly text: string;
  readonly bytes: number;
  /** Whether it needs no escapes and each character is one byte. */
  readonly isPlain: boolean;
}

/** A document, or any part of one. */
interface Pieces {
  readonly parts: readonly (string | LongText)[];
  readonly bytes: number;
}

/** Stands for a long text while the rest is written. It is random, so that no caller can send it. */
const MARK = randomUUID();

/** What JSON.stringify writes of this value, in pieces. */
export function jsonPieces(value: unknown): Pieces {
  if (!holdsLong(value)) return plainPieces(JSON.stringify(value));
  const long: LongText[] = [];
  const written = JSON.stringify(value, (_name, inner: unknown) => (isLong(inner) ? `${MARK}:${long.push(measure(inner)) - 1}` : inner));
  const [first = '', ...rest] = written.split(`"${MARK}:`);
  const parts = [first, ...rest.flatMap((piece) => withLong(piece, long))];
  return { parts, bytes: sum(parts) };
}

/** Each piece begins with the index of the long text before it, and a quote. */
function withLong(piece: string, long: readonly LongText[]): readonly (string | LongText)[] {
  const quote = piece.indexOf('"');
  return [long[Number(piece.slice(0, quote))] ?? '', piece.slice(quote + 1)];
}

/** A text that is JSON already, as pieces. */
export const plainPieces = (text: string): Pieces => ({ parts: [text], bytes: Buffer.byteLength(text) });

/** The pieces in order. */
export const joinPieces = (all: readonly Pieces[]): Pieces => ({
  parts: all.flatMap(({ parts }) => parts),
  bytes: all.reduce((total, { bytes }) => total + bytes, 0),
});

/** A string; a buffer with separate memory if one of the texts is long. */
export function writePieces({ parts, bytes }: Pieces): string | Buffer<ArrayBuffer> {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  const out = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const part of parts) at += typeof part === 'string' ? out.write(part, at) : writeLong(part, out, at);
  return out;
}

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length >= LONG;

function holdsLong(value: unknown): boolean {
  if (typeof value === 'string') return isLong(value);
  if (Array.isArray(value)) return value.some(holdsLong);
  return isFields(value) && Object.values(value).some(holdsLong);
}

const sum = (parts: Pieces['parts']): number =>
  parts.reduce((total, part) => total + (typeof part === 'string' ? Buffer.byteLength(part) : part.bytes), 0);

function measure(text: string): LongText {
  let bytes = 2;
  for (const escaped of eachEscaped(text)) bytes += Buffer.byteLength(escaped);
  return { text, bytes, isPlain: bytes === text.length + 2 };
}

/** Returns the number of bytes written. */
function writeLong({ text, bytes, isPlain }: LongText, out: Buffer, start: number): number {
  let at = start + out.write('"', start);
  if (isPlain) at += out.write(text, at, 'latin1');
  else for (const escaped of eachEscaped(text)) at += out.write(escaped, at);
  out.write('"', at);
  return bytes;
}

/** The escaped text between its quotes, in parts. */
function* eachEscaped(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + AT_ONCE - (isLeading(text.charCodeAt(at + AT_ONCE - 1)) ? 1 : 0);
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
}

/** Whether it is a leading surrogate, which must not be separated from its second half. */
const isLeading = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** The place of an item, in bytes from the start of its text. */
export interface ItemPlace {
  /** The ID it came with; null if it had none. */
  readonly id: string | null;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The places of the items of a stored response. The databases call it its outline. */
export type StoredShape = Readonly<Record<Part, readonly ItemPlace[]>>;

/** A text; a large one as bytes, in separate memory. */
export type StoredText = string | Buffer<ArrayBuffer>;

/** The texts of a response, as they are stored. */
interface WrittenResponse {
  readonly input: StoredText;
  readonly response: StoredText;
  /** The place of the list of output items in `response`, in bytes; both are 0 when it has none. */
  readonly outputAt: number;
  readonly outputBytes: number;
  readonly shape: StoredShape;
  /** Each output item that has an ID. */
  readonly items: readonly (readonly [id: string, item: StoredText])[];
}

export function writeResponse({ input, response }: Pick<StoredResponse, 'input' | 'response'>): WrittenResponse {
  const given = writeList(input, 0);
  const { before, after } = writeAround(response);
  const made = writeList(outputOf(response), before.bytes);
  const isListed = hasOutput(response);
  return {
    input: writePieces(given.list),
    response: writePieces(isListed ? joinPieces([before, made.list, after]) : before),
    outputAt: isListed ? before.bytes : 0,
    outputBytes: isListed ? made.list.bytes : 0,
    shape: { input: given.places, output: made.places },
    items: made.places.flatMap(({ id }, index) => (id === null ? [] : [[id, writePieces(made.items[index] ?? NOTHING)] as const])),
  };
}

/** What JSON.stringify writes of the response, in two parts: before the list of output items, and after it. */
function writeAround(response: Fields): { readonly before: Pieces; readonly after: Pieces } {
  if (!hasOutput(response)) return { before: jsonPieces(response), after: NOTHING };
  const fields = Object.entries(response).filter(([, value]) => value !== undefined);
  const at = fields.findIndex(([name]) => name === OUTPUT);
  const write = ([name, value]: readonly [string, unknown]) => [plainPieces(`${JSON.stringify(name)}:`), jsonPieces(value)];
  const before = fields.slice(0, at).flatMap((field) => [...write(field), COMMA]);
  const after = fields.slice(at + 1).flatMap((field) => [COMMA, ...write(field)]);
  return {
    before: joinPieces([plainPieces('{'), ...before, plainPieces(`"${OUTPUT}":`)]),
    after: joinPieces([...after, plainPieces('}')]),
  };
}

const NOTHING = plainPieces('');
const COMMA = plainPieces(',');

interface WrittenList {
  readonly list: Pieces;
  readonly items: readonly Pieces[];
  readonly places: readonly ItemPlace[];
}

/** `at`: the start of the list in its text. */
function writeList(values: readonly Fields[], at: number): WrittenList {
  const items = values.map(jsonPieces);
  let start = at + 1;
  const places = values.map((value, index) => {
    const end = start + (items[index]?.bytes ?? 0);
    const place = placeOf(value, start, end);
    start = end + 1;
    return place;
  });
  const inner = items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
  return { list: joinPieces([plainPieces('['), ...inner, plainPieces(']')]), items, places };
}

const placeOf = ({ id, type }: Fields, start: number, end: number): ItemPlace => ({
  id: typeof id === 'string' ? id : null,
  type: typeof type === 'string' ? type : USUAL_TYPE,
  start,
  end,
});

type Row = readonly [id: string | null, type: string, start: number, end: number];

/** As short JSON, because it is read whole for any of the items. */
export function packShape({ input, output }: StoredShape): string {
  const pack = ({ id, type, start, end }: ItemPlace): Row => [id, type, start, end];
  return JSON.stringify([input.map(pack), output.map(pack)]);
}

export function unpackShape(packed: string): StoredShape {
  // `packShape` wrote this JSON.
  const [input, output] = JSON.parse(packed) as readonly [readonly Row[], readonly Row[]];
  const unpack = ([id, type, start, end]: Row): ItemPlace => ({ id, type, start, end });
  return { input: input.map(unpack), output: output.map(unpack) };
}

/** A response as the caller received it, and the new input of its request. Items are in the wire format of responses. */
export interface StoredResponse {
  readonly id: string;
  readonly accountId: string;
  readonly previousId: string | null;
  /** Name of the upstream that answered: only this upstream can read its encrypted reasoning. */
  readonly upstream: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly input: readonly Fields[];
  readonly response: Fields;
}

/** A turn of a chain, as JSON texts. */
export interface StoredTurn {
  readonly id: string;
  readonly upstream: string;
  readonly input: string;
  /** The list of output items; null if only `response` holds it, as older versions stored it. */
  readonly output: string | null;
  readonly response: string | null;
}

/** The length of a chain, as far back as it was measured. */
export interface Extent {
  readonly links: number;
  /** The stored size of its items. */
  readonly bytes: number;
  /** The response before the oldest measured link; null at the beginning of the conversation. */
  readonly previousId: string | null;
}

/** An output item as JSON text, and the upstream that made it. */
export interface StoredOutput {
  readonly item: string;
  readonly upstream: string;
}

/** The places of the items of one turn; null if an older version stored the turn. */
export interface ShapedTurn {
  readonly id: string;
  readonly shape: string | null;
}

export type Part = 'input' | 'output';

/** A range of bytes of the stored input (`input`), or of the stored response, which holds the output (`output`). */
export interface Slice {
  readonly responseId: string;
  readonly part: Part;
  readonly start: number;
  readonly end: number;
}

/** A request that reads stored responses. */
export interface Reader {
  readonly accountId: string;
  /** Counts stored bytes before they are read, and throws if the memory doesn't suffice; null if they aren't counted. */
  readonly share: { takeStored(bytes: number): void } | null;
}

export interface HistoryStore {
  /** On disk when it resolves: a caller who then reads the terminal event can continue from this response, even after a crash. */
  save(record: StoredResponse): Promise<void>;
  find(accountId: string, id: string): Promise<StoredResponse | undefined>;
  /** Reads only the name of the upstream. */
  upstreamOf(accountId: string, id: string): Promise<string | undefined>;
  /** The JSON text of the response, as bytes. */
  response(accountId: string, id: string): Promise<Buffer | undefined>;
  /** Follows the chain back from a response to its beginning, or until it exceeds `maxBytes`; undefined if the account has no such response. */
  measure(accountId: string, id: string, maxBytes: number): Promise<Extent | undefined>;
  /** The response and all before it, oldest first; empty if the account has no such response. */
  chain(accountId: string, id: string): Promise<readonly StoredTurn[]>;
  /** The same chain without its texts. */
  shapes(accountId: string, id: string): Promise<readonly ShapedTurn[]>;
  /** Undefined if the response was deleted. */
  slice(accountId: string, slice: Slice): Promise<Buffer | undefined>;
  /** Sizes of output items of the account's stored responses, by ID; unknown IDs are omitted. */
  measureItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  findItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredOutput>>;
  /** How much the account stores. */
  keptBytes(accountId: string): Promise<number>;
  /** False if there was no such response. */
  remove(accountId: string, id: string): Promise<boolean>;
  /** Deletes some of the responses created before this time, in seconds since 1970; returns how many, 0 if none are left. */
  sweep(before: number): Promise<number>;
}

/** Longest chain that is followed; a longer one is rejected. */
export const MAX_CHAIN = 10_000;

/** Every link of a chain by its ID, without its texts. The parameters are the account and the newest response. */
export const CHAIN = `
  WITH RECURSIVE chain (depth, account_id, id, previous_id) AS (
    SELECT 0, account_id, id, previous_id FROM responses WHERE account_id = ?1 AND id = ?2
    UNION ALL
    SELECT chain.depth + 1, r.account_id, r.id, r.previous_id
    FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id
    WHERE chain.depth < ${MAX_CHAIN}
  )`;
/** Reads no text: both engines store the length of a text alongside it. */
export const BYTES = 'octet_length(r.input) + coalesce(o.output_bytes, octet_length(r.response))';
export const OUTLINE = 'LEFT JOIN response_outlines AS o ON o.account_id = r.account_id AND o.response_id = r.id';
