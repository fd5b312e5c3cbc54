/** A response that is forwarded unchanged, and serialized JSON whose shape the compiler knows. */
import type { Readable } from 'node:stream';
import type { Exact } from '../../contract/shared/exact.ts';

export type ForwardedResponse = { readonly kind: 'whole'; readonly bytes: Buffer } | { readonly kind: 'stream'; readonly frames: Readable };

declare const shape: unique symbol;

/** The serialized JSON of a `T`. Only `writeJson` creates one. */
export type JsonText<T> = Buffer & { readonly [shape]: T };

// The shape exists only for the compiler; no object has such a field.
export const writeJson = <T>(value: Exact<T>): JsonText<T> => Buffer.from(JSON.stringify(value)) as JsonText<T>;
