/** The context of an attempt: the request, the candidate, its transcoder and grant, and the response. */

import type { Candidate } from '../config/model-catalog.ts';
import type { Recording } from '../history/recording-reader.ts';
import type { CallRecording } from '../providers/recordings/recorder.ts';
import type { UpstreamResponse } from '../providers/upstream.ts';
import type { Grant } from './admission.ts';
import type { Drain } from './drain.ts';
import type { ParsedRequest, Transcoder } from './transcoder.ts';

export interface AttemptContext {
  readonly parsed: ParsedRequest;
  /** The candidate: the model as its upstream serves it. */
  readonly model: Candidate;
  readonly transcoder: Transcoder;
  readonly recording: Recording | null;
  readonly grant: Grant;
  /** Records the request in a file. Null without `serve --record`. */
  readonly callRecording: CallRecording | null;
  /** Requests of one session use the same candidate, and the same one of its keys. Null without a session. */
  readonly session: string | null;
  /** Whether the caller requested a stream. The upstream request then asks for one too. */
  readonly isStream: boolean;
  /** Whether no attempt of the request has failed before. */
  readonly isFirst: boolean;
}

export interface RespondedAttempt extends AttemptContext {
  readonly response: UpstreamResponse;
  readonly drain: Drain | null;
}
