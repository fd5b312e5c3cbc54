/** What a dialect offers for a relay: it changes the request, reads the answer that passes, and ends a broken stream with an error. */
import type { Fields } from '../../contract/rule.ts';
import type { GatewayError } from '../errors.ts';
import type { WrittenStream } from './shown-output.ts';
import type { TurnStreamWriter } from './turn/turn.ts';
import type { Usage } from './usage.ts';
import type { JsonBody } from './wire/json-body.ts';

export interface RequestOptions {
  /** The upstream's own id of the model. */
  readonly model: string;
}

/** A whole answer on its way to the caller. */
export interface WholeAnswer {
  readonly bytes: Buffer;
  readonly usage: Usage | null;
  /** The parsed value of `bytes`, set when we wrote them, so that they are not parsed again. */
  readonly written?: Fields;
}

/** Reads the frames of one stream as they pass: takes complete frames, returns the bytes for the caller. It decodes only what it must. */
export interface StreamReader {
  /** Takes complete frames in one buffer, and returns those for the caller; it may be an empty buffer. When one holds a failure: the frames before it. */
  pass(frames: Buffer): Buffer;
  /** The failure that the upstream reported in its stream, or that made a frame unreadable; nothing is passed after it. */
  readonly failure: GatewayError | null;
  /** False while only the opening of the stream has come: a failure can still be answered by an HTTP status then. */
  readonly hasBegun: boolean;
  /** True after the upstream has marked the answer as complete: nothing more is read. */
  readonly isComplete: boolean;
  /** The last bytes of a complete stream, for example `[DONE]`. */
  closing(): Buffer;
  /** The frames that end a broken stream, so that it does not look complete. */
  failing(error: GatewayError): Buffer;
  /** A heartbeat event, for clients that ignore comments; null when the protocol allows none at this point. */
  keepAlive?(): Buffer | null;
  readonly usage: Usage | null;
  /** Set when we write the frames ourselves; absent when they are forwarded. */
  readonly written?: WrittenStream | undefined;
}

/** The writer of a caller's stream, with what some protocols add. */
export interface CallerStreamWriter extends TurnStreamWriter {
  /** The failure with which the writer itself ended the stream; its last frames hold it already. */
  readonly failure?: GatewayError | null;
  /** As in StreamReader; an empty buffer when none is allowed. */
  keepAlive?(): Buffer;
}

/** A dialect for calls whose caller and upstream speak the same protocol. */
export interface Relay {
  writeRequest(body: JsonBody, options: RequestOptions): JsonBody;
  /** Throws GatewayError upstream_error when the bytes are no answer in this format. */
  readWhole(bytes: Buffer, names: ModelNames, asked: Fields): WholeAnswer;
  readStream(body: JsonBody, names: ModelNames): StreamReader;
}

/** The caller's and the upstream's id of the model. */
export interface ModelNames {
  readonly asked: string;
  readonly upstream: string;
}
