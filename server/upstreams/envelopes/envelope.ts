/** What a place changes about the requests and answers of a dialect: the path, the body, the framing. Dialects know nothing of it. */
import type { JsonBody } from '../../dialects/wire/json-body.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream.ts';

/** The values that a path depends on. */
export type Addressee = Pick<UpstreamRequest, 'operation' | 'path' | 'model' | 'stream'>;

export interface Envelope {
  /** The path below the base URL, with a query if the place needs one. */
  path(request: Addressee): string;
  /** Changes the body for the place. Absent: the body is sent as the dialect wrote it. */
  body?(body: JsonBody): Buffer;
  /** The `accept` of a stream. Absent: `text/event-stream`. */
  readonly accept?: string;
  /** Converts the answer for the dialect. Absent: the dialect reads it unchanged. */
  answer?(answer: UpstreamAnswer): UpstreamAnswer;
}
