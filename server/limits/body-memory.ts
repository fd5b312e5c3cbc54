/** Counts the bytes of request bodies, and of stored responses that requests read, per process and per key. They're counted before they're kept, and rejected if they don't fit. */
import { type BodyName, type ErrorOf, GatewayError, tryAgainIn } from '../errors.ts';
import { KeyedSlots } from '../primitives/shared-timeout.ts';

export interface BodyMemoryBounds {
  /** Limit in bytes for the bodies of all requests together. 0 for no limit. */
  readonly total: number;
  /** Limit in bytes for the bodies of one key's requests. */
  readonly perKey: number;
  /** Limit in bytes for the only request of a key, so that the largest body always fits. */
  readonly alone: number;
}

/** How many bytes of memory each byte takes while a JSON body is parsed and kept, or a stored response is read and written. */
export const BODY_WEIGHT = 3;
/** The same for a compressed body while it is read: its size is unknown beforehand, so it is put together from pieces, and few bytes of the caller make many. */
export const PACKED_WEIGHT = 8;
/** The same for a form, whose files are put together one by one. */
export const FORM_WEIGHT = 2;

/** How many bodies of a key are decompressed at a time: each decompressor uses memory that isn't counted anywhere. */
const UNPACKED_AT_ONCE = 6;

export const MEBIBYTE = 1_048_576;
const shownSize = (bytes: number): string => `${Math.max(Math.round(bytes / MEBIBYTE), 1)} MiB`;
const soon = { headers: { 'retry-after': '1' } } as const;

interface Taken {
  bytes: number;
  /** Large bodies that are being read. */
  reading: number;
}

export class BodyMemory {
  /** A reload may change them. */
  bounds: BodyMemoryBounds;
  readonly #keys = new Map<string, Taken>();
  readonly #unpacking = new KeyedSlots(UNPACKED_AT_ONCE);
  #bytes = 0;

  constructor(bounds: BodyMemoryBounds) {
    this.bounds = bounds;
  }

  /** Bytes of all requests in flight. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many large bodies of the key are being read. */
  readingOf(keyId: string): number {
    return this.#keys.get(keyId)?.reading ?? 0;
  }

  /** Resolves when a body of the key may be decompressed, to the function that tells that it has been. */
  waitToUnpack(keyId: string): Promise<() => void> {
    return this.#unpacking.take(keyId);
  }

  /** `onFull` is called when a request is rejected because the process is full. */
  open(keyId: string, onFull: () => void = () => undefined): BodyShare {
    return new BodyShare(this, keyId, onFull);
  }

  /** The refusal of a request that holds so many bytes and needs so many more; null if it may have them. */
  refusalOf(keyId: string, held: number, more: number): GatewayError | null {
    const { total, perKey, alone } = this.bounds;
    const [own, others] = [held + more, (this.#keys.get(keyId)?.bytes ?? 0) - held];
    if (perKey > 0 && own + others > (others === 0 ? alone : perKey)) return own > alone ? tooLarge(alone) : ofOneKey(perKey);
    if (total > 0 && this.#bytes + more > total) return own > total ? tooLarge(total) : ofAll();
    return null;
  }

  change(keyId: string, { bytes, reading }: Taken): void {
    const taken = this.#keys.get(keyId) ?? { bytes: 0, reading: 0 };
    taken.bytes += bytes;
    taken.reading += reading;
    this.#bytes += bytes;
    if (taken.bytes === 0 && taken.reading === 0) this.#keys.delete(keyId);
    else this.#keys.set(keyId, taken);
  }
}

/** A retry wouldn't help. */
const tooLarge = (bound: number): ErrorOf<BodyName, 413> =>
  new GatewayError('request_too_large', {
    message: `The request needs more memory than the ${shownSize(bound)} available for request bodies.`,
  });

const ofOneKey = (bound: number): ErrorOf<BodyName, 429> =>
  new GatewayError('concurrency_limit_exceeded', {
    message: `This key's requests in flight, with the stored responses they read, use ${shownSize(bound)} of memory, which is its limit. ${tryAgainIn(1)}`,
    ...soon,
  });

const ofAll = (): ErrorOf<BodyName, 503> =>
  new GatewayError('overloaded', { message: `The gateway is out of memory for request bodies. ${tryAgainIn(1)}`, ...soon });

/** The bytes of one request, until it has ended. */
export class BodyShare {
  readonly #room: BodyMemory;
  readonly #keyId: string;
  #bytes = 0;
  /** The part of these bytes that hasn't arrived yet. */
  #ahead = 0;
  #isReading = false;
  #isClosed = false;
  readonly #onFull: () => void;
  #foreseen: { readonly bytes: number; readonly createError: () => GatewayError } | null = null;

  constructor(room: BodyMemory, keyId: string, onFull: () => void) {
    this.#room = room;
    this.#keyId = keyId;
    this.#onFull = onFull;
  }

  /** Null if so many bytes more may be kept. Bytes that arrive after the request has ended are dropped. */
  take(bytes: number): GatewayError | null {
    if (this.#isClosed) return null;
    if (this.#foreseen && this.#bytes + bytes > this.#foreseen.bytes) return this.#foreseen.createError();
    const known = Math.min(bytes, this.#ahead);
    this.#ahead -= known;
    return known === bytes ? null : this.#add(bytes - known);
  }

  /** The same for announced bytes: they aren't counted again when they arrive. */
  reserve(bytes: number): GatewayError | null {
    const refusal = this.#isClosed ? null : this.#add(bytes);
    if (!refusal) this.#ahead += bytes;
    return refusal;
  }

  /** The same for stored bytes that the request reads; each counts as one byte of a body. Throws if they don't fit. */
  takeStored(bytes: number): void {
    const refusal = this.#isClosed ? null : this.#add(bytes * BODY_WEIGHT);
    if (refusal) throw refusal;
  }

  #add(bytes: number): GatewayError | null {
    const refusal = this.#room.refusalOf(this.#keyId, this.#bytes, bytes);
    if (refusal?.code === 'overloaded') this.#onFull();
    if (refusal) return refusal;
    this.#bytes += bytes;
    this.#room.change(this.#keyId, { bytes, reading: 0 });
    return null;
  }

  /** Gives back what is over so many bytes: a parsed body takes less memory than one that is being read. */
  lowerTo(bytes: number): void {
    const spare = Math.max(this.#bytes - bytes, 0);
    this.#bytes -= spare;
    this.#room.change(this.#keyId, { bytes: -spare, reading: 0 });
  }

  /** The call will be rejected by this whatever its body says, so only so many bytes of it are read. */
  rejectEarly(createError: () => GatewayError, bytes: number): void {
    this.#foreseen = { createError, bytes };
  }

  /** Resolves when the body may be decompressed, to the function that tells that it has been. */
  waitToUnpack(): Promise<() => void> {
    return this.#room.waitToUnpack(this.#keyId);
  }

  beginReading(): void {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    this.#room.change(this.#keyId, { bytes: 0, reading: 1 });
  }

  endReading(): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#room.change(this.#keyId, { bytes: 0, reading: -1 });
  }

  close(): void {
    this.endReading();
    this.#isClosed = true;
    this.#room.change(this.#keyId, { bytes: -this.#bytes, reading: 0 });
    this.#bytes = 0;
  }
}
