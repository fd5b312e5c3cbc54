/** The interface of a relay: a dialect for calls whose caller and upstream speak the same protocol. */
import type { Fields } from '../primitives/fields.ts';
import type { StreamReader } from './stream-reader.ts';
import type { Usage } from './usage.ts';
import type { JsonBody } from './wire/json-body.ts';

/** A dialect for calls whose caller and upstream use the same protocol. */
export interface Relay {
  writeRequest(body: JsonBody, options: RequestOptions): JsonBody;
  /** Throws `upstream_error` if the bytes aren't a response in this format. */
  readResponse(bytes: Buffer, names: ModelNames, request: Fields): CompleteResponse;
  readStream(body: JsonBody, names: ModelNames): StreamReader;
}
/** The model IDs for the caller and the upstream. */
export interface ModelNames {
  readonly requested: string;
  readonly upstream: string;
}
export interface RequestOptions {
  /** The upstream's model ID. */
  readonly model: string;
}
/** A complete response for the caller. */
export interface CompleteResponse {
  readonly bytes: Buffer;
  readonly usage: Usage | null;
  /** The parsed value of `bytes`. Set only if the gateway wrote the bytes, to avoid parsing them again. */
  readonly written?: Fields;
}
