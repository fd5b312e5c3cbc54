/** The interfaces of a protocol: how a caller and an upstream of it read and write requests, responses, and streams. */

import type { ChatCompletion } from '../../contract/chat/completion.ts';
import type { Response } from '../../contract/responses.ts';
import type { Exact } from '../../contract/shared/exact.ts';
import type { ModelRules } from '../config/model-rules.ts';
import type { GatewayError } from '../primitives/errors.ts';
import type { CanonicalEvent } from './canonical/canonical-events.ts';
import type { CanonicalRequest, Json } from './canonical/canonical-request.ts';
import type { WorkBudget } from './canonical/work-budget.ts';
import type { WrittenStream } from './delivered-output.ts';

/** Writes a caller's stream. Some protocols add their own failures and heartbeats. */
export interface CallerStreamWriter extends CanonicalStreamWriter {
  /** The failure the writer ended the stream with. The last frames already contain it. */
  readonly failure?: GatewayError | null;
  /** Like `StreamReader.keepAlive`, but returns an empty buffer if no heartbeat is allowed. */
  keepAlive?(): Buffer;
}

export type UpstreamProtocol = 'chat' | 'responses' | 'anthropic' | 'gemini' | 'converse';

/** Writes a request as an upstream's request body, and reads the upstream's response as events. Each upstream protocol has one. */
export interface UpstreamDialect {
  /** The path to append to the upstream's base URL. */
  getPath(turn: CanonicalRequest): string;
  /**
   * Throws `unsupported_parameter` with the caller's path of a field that the protocol can't express. `work` limits the work for the entire
   * request.
   */
  writeRequest(turn: CanonicalRequest, work?: WorkBudget): Readonly<Record<string, Json>>;
  /** Lists fields, by the caller's names, that this model doesn't get although other models of the protocol do. Defaults to none. */
  findDroppedFields?(turn: CanonicalRequest): readonly string[];
  /** Rules that adapt the request to the model before it's written. */
  readonly rules?: ModelRules | undefined;
  /** Reads a complete response. Throws `upstream_error` if the response is invalid. */
  readResponse(answer: Readonly<Record<string, Json>>, turn: CanonicalRequest): CanonicalEvent[];
  openStream(turn: CanonicalRequest): CanonicalStreamReader;
}

export interface CanonicalStreamReader {
  /** Reads the JSON of one frame. `name` is the frame's event name, or null. A failure inside the stream becomes a `failed` event. */
  read(data: Readonly<Record<string, Json>>, name: string | null): CanonicalEvent[];
  /**
   * Returns the remaining events when the upstream closes, including `failed` if the response was cut off. `hasDoneMarker`: the upstream sent `[DONE]`.
   */
  end(hasDoneMarker?: boolean): CanonicalEvent[];
  /** True after the last event. Later frames are ignored. */
  readonly isComplete: boolean;
}

/** The fields of a caller's response that don't come from events. */
export interface ResponseHead {
  /** `chatcmpl-…` or `resp_…`, the same for the entire response. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** The model ID that the caller requested. */
  readonly model: string;
  /** The caller's body, whose fields the response echoes. */
  readonly request: Readonly<Record<string, Json>>;
  /** Creates item IDs: `newId('msg')` → `msg_…`. Passed in because dialects don't generate random values. */
  readonly newId: (prefix: string) => string;
  /** Returns the current time in seconds since 1970, for `completed_at`. */
  readonly now: () => number;
}

/** Writes a caller's response from events. Each caller protocol has one. */
export interface CallerDialect<CallerResponse extends object = Exact<ChatCompletion> | Exact<Response>> {
  readRequest(body: Readonly<Record<string, Json>>, model: string): CanonicalRequest;
  /** Writes the complete response. Throws the error of a `failed` event, or `upstream_error` if the events end without `finish`. */
  writeResponse(events: readonly CanonicalEvent[], head: ResponseHead): CallerResponse;
  openStream(head: ResponseHead): CanonicalStreamWriter;
}

export interface CanonicalStreamWriter {
  /** Returns the complete frames for one event, possibly none. */
  write(event: CanonicalEvent): Buffer;
  /** Returns the frames that end the stream. A response that was cut off ends as a failure. */
  end(): Buffer;
  readonly written: WrittenStream;
}
