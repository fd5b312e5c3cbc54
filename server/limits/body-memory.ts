/** Counts the bytes of request bodies, and of stored responses that requests read, per process and per key. They're counted before they're kept, and rejected if they don't fit. */
import { type BodyName, formatRetryHint, GatewayError, type OperationError } from '../primitives/errors.ts';
import { KeyedSlots } from '../primitives/keyed-slots.ts';

export interface BodyMemoryBounds {
  /** Limit in bytes for the bodies of all requests together. 0 for no limit. */
  readonly total: number;
  /** Limit in bytes for the bodies of one key's requests. */
  readonly perKey: number;
  /** Limit in bytes for a key's only request, so that the largest body always fits. */
  readonly alone: number;
}

/** Bytes of memory per byte of a JSON body while it's parsed and kept, or of a stored response while it's read and written. */
export const BODY_WEIGHT = 3;
/**
 * Bytes of memory per byte of a compressed body while it's read. Its size isn't known in advance, so it's assembled from pieces, and few
 * bytes can expand to many.
 */
export const COMPRESSED_BODY_WEIGHT = 8;
/** Bytes of memory per byte of a form, whose files are assembled one by one. */
export const FORM_WEIGHT = 2;

/**
 * The number of a key's bodies that are decompressed at the same time, because each decompressor uses memory that isn't counted anywhere.
 */
const MAX_CONCURRENT_UNPACKS = 6;

export const MEBIBYTE = 1_048_576;
const formatSize = (bytes: number): string => `${Math.max(Math.round(bytes / MEBIBYTE), 1)} MiB`;
const retryAfterOptions = { headers: { 'retry-after': '1' } } as const;

interface KeyMemory {
  bytes: number;
  /** Large bodies that are being read. */
  reading: number;
}

export class BodyMemory {
  /** A reload can change the bounds. */
  bounds: BodyMemoryBounds;
  readonly #keys = new Map<string, KeyMemory>();
  readonly #unpackSlots = new KeyedSlots(MAX_CONCURRENT_UNPACKS);
  #bytes = 0;

  constructor(bounds: BodyMemoryBounds) {
    this.bounds = bounds;
  }

  /** Bytes of all requests in flight. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many large bodies of the key are being read. */
  getReadingCount(keyId: string): number {
    return this.#keys.get(keyId)?.reading ?? 0;
  }

  /** Resolves when one of the key's bodies can be decompressed. The returned function releases the slot. */
  waitToUnpack(keyId: string): Promise<() => void> {
    return this.#unpackSlots.acquire(keyId);
  }

  /** `onFull` is called when a request is rejected because the process is out of memory for bodies. */
  open(keyId: string, onFull: () => void = () => undefined): BodyShare {
    return new BodyShare(this, keyId, onFull);
  }

  /** Checks a request that holds some bytes and needs more. Returns the error to reject it with, or null if they fit. */
  checkBytes(keyId: string, heldBytes: number, addedBytes: number): GatewayError | null {
    const { total, perKey, alone } = this.bounds;
    const [requestBytes, otherBytes] = [heldBytes + addedBytes, (this.#keys.get(keyId)?.bytes ?? 0) - heldBytes];
    if (perKey > 0 && requestBytes + otherBytes > (otherBytes === 0 ? alone : perKey))
      return requestBytes > alone ? createTooLargeError(alone) : createKeyMemoryError(perKey);
    if (total > 0 && this.#bytes + addedBytes > total) return requestBytes > total ? createTooLargeError(total) : createMemoryError();
    return null;
  }

  adjust(keyId: string, { bytes, reading }: KeyMemory): void {
    const keyMemory = this.#keys.get(keyId) ?? { bytes: 0, reading: 0 };
    keyMemory.bytes += bytes;
    keyMemory.reading += reading;
    this.#bytes += bytes;
    if (keyMemory.bytes === 0 && keyMemory.reading === 0) this.#keys.delete(keyId);
    else this.#keys.set(keyId, keyMemory);
  }
}

/** A 413, because a retry wouldn't help. */
const createTooLargeError = (bound: number): OperationError<BodyName, 413> =>
  new GatewayError('request_too_large', {
    message: `The request needs more memory than the ${formatSize(bound)} available for request bodies.`,
  });

const createKeyMemoryError = (bound: number): OperationError<BodyName, 429> =>
  new GatewayError('concurrency_limit_exceeded', {
    message: `This key's requests in flight, with the stored responses they read, use ${formatSize(bound)} of memory, which is its limit. ${formatRetryHint(1)}`,
    ...retryAfterOptions,
  });

const createMemoryError = (): OperationError<BodyName, 503> =>
  new GatewayError('overloaded', {
    message: `The gateway is out of memory for request bodies. ${formatRetryHint(1)}`,
    ...retryAfterOptions,
  });

/** The bytes that one request holds until it ends. */
export class BodyShare {
  readonly #memory: BodyMemory;
  readonly #keyId: string;
  #bytes = 0;
  /** The part of these bytes that hasn't arrived yet. */
  #reservedBytes = 0;
  #isReading = false;
  #isClosed = false;
  readonly #onFull: () => void;
  #earlyRejection: { readonly bytes: number; readonly createError: () => GatewayError } | null = null;

  constructor(memory: BodyMemory, keyId: string, onFull: () => void) {
    this.#memory = memory;
    this.#keyId = keyId;
    this.#onFull = onFull;
  }

  /** Returns null if the bytes fit. Bytes that arrive after the request has ended are dropped. */
  acquire(bytes: number): GatewayError | null {
    if (this.#isClosed) return null;
    if (this.#earlyRejection && this.#bytes + bytes > this.#earlyRejection.bytes) return this.#earlyRejection.createError();
    const reservedPart = Math.min(bytes, this.#reservedBytes);
    this.#reservedBytes -= reservedPart;
    return reservedPart === bytes ? null : this.#add(bytes - reservedPart);
  }

  /** Acquires announced bytes in advance. They aren't counted again when they arrive. */
  reserve(bytes: number): GatewayError | null {
    const rejection = this.#isClosed ? null : this.#add(bytes);
    if (!rejection) this.#reservedBytes += bytes;
    return rejection;
  }

  /** Acquires memory for stored bytes that the request reads, weighted like a body's bytes. Throws if they don't fit. */
  acquireStored(bytes: number): void {
    const rejection = this.#isClosed ? null : this.#add(bytes * BODY_WEIGHT);
    if (rejection) throw rejection;
  }

  #add(bytes: number): GatewayError | null {
    const rejection = this.#memory.checkBytes(this.#keyId, this.#bytes, bytes);
    if (rejection?.code === 'overloaded') this.#onFull();
    if (rejection) return rejection;
    this.#bytes += bytes;
    this.#memory.adjust(this.#keyId, { bytes, reading: 0 });
    return null;
  }

  /** Releases the bytes above this number, because a parsed body takes less memory than one that is being read. */
  shrinkTo(bytes: number): void {
    const excess = Math.max(this.#bytes - bytes, 0);
    this.#bytes -= excess;
    this.#memory.adjust(this.#keyId, { bytes: -excess, reading: 0 });
  }

  /** Marks the request for rejection regardless of its body, so that at most this many bytes of the body are read. */
  rejectEarly(createError: () => GatewayError, bytes: number): void {
    this.#earlyRejection = { createError, bytes };
  }

  /** Resolves when the body can be decompressed. The returned function releases the slot. */
  waitToUnpack(): Promise<() => void> {
    return this.#memory.waitToUnpack(this.#keyId);
  }

  beginReading(): void {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    this.#memory.adjust(this.#keyId, { bytes: 0, reading: 1 });
  }

  endReading(): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#memory.adjust(this.#keyId, { bytes: 0, reading: -1 });
  }

  close(): void {
    this.endReading();
    this.#isClosed = true;
    this.#memory.adjust(this.#keyId, { bytes: -this.#bytes, reading: 0 });
    this.#bytes = 0;
  }
}
