/** What a place changes about the requests and answers of a dialect: the path, the body, the framing. Dialects know nothing of it. */
import type { JsonBody } from '../../dialects/wire/json-body.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream.ts';

/** What decides on a path. */
export type Addressee = Pick<UpstreamRequest, 'operation' | 'path' | 'model' | 'stream'>;

export interface Envelope {
  /** Appended to the base URL, with a query where the place wants one. */
  path(request: Addressee): string;
  /** The bytes of the body as the place takes it. Absent: as the dialect wrote it. */
  body?(body: JsonBody): Buffer;
  /** The `accept` of a stream. Absent: `text/event-stream`. */
  readonly accept?: string;
  /** The answer as the dialect reads it. Absent: as it came. */
  answer?(answer: UpstreamAnswer): UpstreamAnswer;
}
