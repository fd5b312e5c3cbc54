/** Answers that are bytes already: an upstream's on their way through, one that was kept, or a value of ours that was written before. */
import type { Readable } from 'node:stream';
import type { Written } from '../../contract/written.ts';

declare const handedOn: unique symbol;
declare const written: unique symbol;

/** What passes without being written here. Of its shape the compiler knows nothing: only `handOn` and `handOnFrames` make it. */
export type HandedOn = ({ readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'stream'; readonly frames: Readable }) & {
  readonly [handedOn]: true;
};

/** The JSON of a value of that shape: only `writeJson` makes it. */
export type JsonOf<T> = Buffer & { readonly [written]: T };

// The marks are for the compiler alone: there is no field of that name.
export const handOn = (bytes: Buffer): HandedOn => ({ kind: 'whole', bytes }) as HandedOn;
export const handOnFrames = (frames: Readable): HandedOn => ({ kind: 'stream', frames }) as HandedOn;
export const writeJson = <T>(value: Written<T>): JsonOf<T> => Buffer.from(JSON.stringify(value)) as JsonOf<T>;
