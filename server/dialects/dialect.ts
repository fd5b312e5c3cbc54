/** What a wire format must offer so that an answer in it can be handed on: change the request, read what passes, end it honestly. */
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
  /** The value of `bytes`, where we wrote them: nobody has to parse them again. */
  readonly written?: Fields;
}

/** Reads the frames of one stream as they pass. Complete frames go in, what the caller gets comes out; nothing is decoded that need not be. */
export interface StreamReader {
  /** Takes one or more complete frames in one buffer. An empty buffer: nothing for the caller. Of a buffer with a failure in it: what came before. */
  pass(frames: Buffer): Buffer;
  /** What the upstream itself reported inside its stream, or what made a frame unreadable; nothing is passed after it. */
  readonly failure: GatewayError | null;
  /** False while only the opening of the stream has come: until then a failure can still be told by its HTTP status. */
  readonly hasBegun: boolean;
  /** True once the upstream said that the answer is complete: nothing more is read. */
  readonly isComplete: boolean;
  /** What the caller still needs at the end of a complete stream, for example `[DONE]`. */
  closing(): Buffer;
  /** The frames that end a broken stream, so that it never looks complete. */
  failing(error: GatewayError): Buffer;
  /** An event that says nothing but that the stream lives, for clients that do not hear comments; null where none may stand now. */
  keepAlive?(): Buffer | null;
  readonly usage: Usage | null;
  /** There where we write the frames ourselves, and not where they pass. */
  readonly written?: WrittenStream | undefined;
}

/** What a writer of a caller's stream may tell beside its frames. */
export interface CallerStreamWriter extends TurnStreamWriter {
  /** Why the writer itself ended the stream as a failure; its last frames say so already. */
  readonly failure?: GatewayError | null;
  /** As of a StreamReader; an empty buffer for none. */
  keepAlive?(): Buffer;
}

/** A wire format between like sides: the caller and the upstream speak the same. */
export interface Relay {
  writeRequest(body: JsonBody, options: RequestOptions): JsonBody;
  /** Throws GatewayError upstream_error where the bytes are no answer in this format. */
  readWhole(bytes: Buffer, names: ModelNames, asked: Fields): WholeAnswer;
  readStream(body: JsonBody, names: ModelNames): StreamReader;
}

/** The model as the caller and as the upstream call it. */
export interface ModelNames {
  readonly asked: string;
  readonly upstream: string;
}
