/** How many bytes of request bodies, and of stored responses that requests read, the process and each key have under way: counted before they are kept, and refused where there is no room. */
import { type BodyName, type ErrorOf, GatewayError } from '../errors.ts';

export interface BodyMemoryBounds {
  /** In bytes, of all requests together; 0 where it does not matter. */
  readonly total: number;
  /** Of the requests of one key. */
  readonly perKey: number;
  /** Of a request that is the only one of its key: the largest kind of body has to have room. */
  readonly alone: number;
}

/** While a JSON body is parsed and kept, or a stored response is read and written out, each of its bytes takes about so many. */
export const BODY_WEIGHT = 3;
/** The same of one that came packed: nobody knows its size beforehand, so it is put together from pieces. */
export const PACKED_WEIGHT = 4;
/** The same of a form, whose files are put together one by one. */
export const FORM_WEIGHT = 2;

export const MEBIBYTE = 1_048_576;
const shownSize = (bytes: number): string => `${Math.max(Math.round(bytes / MEBIBYTE), 1)} MiB`;
const soon = { headers: { 'retry-after': '1' } } as const;

interface Taken {
  bytes: number;
  /** Large bodies that are being read. */
  reading: number;
}

export class BodyMemory {
  readonly #bounds: () => BodyMemoryBounds;
  readonly #keys = new Map<string, Taken>();
  #bytes = 0;

  /** `bounds` as they are at each look: a reload may change them. */
  constructor(bounds: () => BodyMemoryBounds) {
    this.#bounds = bounds;
  }

  /** Of all requests that are under way. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many large bodies of the key are being read. */
  readingOf(keyId: string): number {
    return this.#keys.get(keyId)?.reading ?? 0;
  }

  /** `onFull` hears of a refusal that the whole process is full for. */
  open(keyId: string, onFull: () => void = () => undefined): BodyShare {
    return new BodyShare(this, keyId, onFull);
  }

  /** Why a request that holds so many bytes may not have so many more; null where it may. */
  refusalOf(keyId: string, held: number, more: number): GatewayError | null {
    const { total, perKey, alone } = this.#bounds();
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

/** To try again would not help. */
const tooLarge = (bound: number): ErrorOf<BodyName, 413> =>
  new GatewayError('request_too_large', {
    message: `The request takes more memory than there is for bodies: ${shownSize(bound)}.`,
  });

const ofOneKey = (bound: number): ErrorOf<BodyName, 429> =>
  new GatewayError('concurrency_limit_exceeded', {
    message: `The requests of this key that are under way take up ${shownSize(bound)} with their bodies and with stored responses, which is the limit. Try again in 1s.`,
    ...soon,
  });

const ofAll = (): ErrorOf<BodyName, 503> =>
  new GatewayError('overloaded', { message: 'The gateway has no room for more request bodies. Try again in 1s.', ...soon });

/** What one request takes, until it has ended. */
export class BodyShare {
  readonly #room: BodyMemory;
  readonly #keyId: string;
  #bytes = 0;
  /** Of these, what has not arrived yet. */
  #ahead = 0;
  #isReading = false;
  #isClosed = false;
  readonly #onFull: () => void;
  #foreseen: { readonly bytes: number; readonly refuse: () => GatewayError } | null = null;

  constructor(room: BodyMemory, keyId: string, onFull: () => void) {
    this.#room = room;
    this.#keyId = keyId;
    this.#onFull = onFull;
  }

  /** Null where so many bytes more may be kept. What arrives for a request that has ended is kept by nobody. */
  take(bytes: number): GatewayError | null {
    if (this.#isClosed) return null;
    if (this.#foreseen && this.#bytes + bytes > this.#foreseen.bytes) return this.#foreseen.refuse();
    const known = Math.min(bytes, this.#ahead);
    this.#ahead -= known;
    return known === bytes ? null : this.#add(bytes - known);
  }

  /** The same for bytes that are announced: what of them arrives is not counted again. */
  reserve(bytes: number): GatewayError | null {
    const refusal = this.#isClosed ? null : this.#add(bytes);
    if (!refusal) this.#ahead += bytes;
    return refusal;
  }

  /** The same for stored bytes that the request reads, each of which weighs as one of a body. Throws where they have no room. */
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

  /** However the body looks, the call will be refused by this: no more than so many bytes of it are worth reading. */
  foresee(refuse: () => GatewayError, bytes: number): void {
    this.#foreseen = { refuse, bytes };
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
    if (this.#bytes === 0) return;
    this.#room.change(this.#keyId, { bytes: -this.#bytes, reading: 0 });
    this.#bytes = 0;
  }
}
