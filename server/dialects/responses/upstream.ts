/** Upstreams that speak responses, for callers who speak something else. */
import type { UpstreamDialect } from '../turn/turn.ts';
import { readResponseAnswer } from './read-answer.ts';
import { openResponseStream } from './read-stream.ts';
import { writeResponseRequest } from './write-request.ts';

export const responsesUpstream: UpstreamDialect = {
  path: () => '/responses',
  writeRequest: writeResponseRequest,
  readWhole: readResponseAnswer,
  openStream: openResponseStream,
};
