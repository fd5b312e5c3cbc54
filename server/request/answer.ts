/** Types of answers that are bytes already: an upstream's answer, a stored answer, or a value that was serialised before. */
import type { Readable } from 'node:stream';
import type { Written } from '../../contract/written.ts';

declare const handedOn: unique symbol;
declare const written: unique symbol;

/** An answer that passes through unchanged. The compiler does not know its shape, so only `handOn` and `handOnFrames` make one. */
export type HandedOn = ({ readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'stream'; readonly frames: Readable }) & {
  readonly [handedOn]: true;
};

/** The serialised JSON of a `T`: only `writeJson` makes one. */
export type JsonOf<T> = Buffer & { readonly [written]: T };

// The marks exist for the compiler only: no object has such a field.
export const handOn = (bytes: Buffer): HandedOn => ({ kind: 'whole', bytes }) as HandedOn;
export const handOnFrames = (frames: Readable): HandedOn => ({ kind: 'stream', frames }) as HandedOn;
export const writeJson = <T>(value: Written<T>): JsonOf<T> => Buffer.from(JSON.stringify(value)) as JsonOf<T>;
