/** The dialects of the Responses API, for a caller and for an upstream. */
import type { CallerDialect, UpstreamDialect } from '../dialect.ts';
import { readResponseRequest } from './read-request.ts';
import { readWholeResponse } from './read-response.ts';
import { readResponseStream } from './read-stream.ts';
import type { ResponseObject } from './wire.ts';
import { writeResponseRequest } from './write-request.ts';
import { writeWholeResponse } from './write-response.ts';
import { writeResponseStream } from './write-stream.ts';

export const responsesUpstreamDialect: UpstreamDialect = {
  getPath: () => '/responses',
  writeRequest: writeResponseRequest,
  readResponse: readWholeResponse,
  openStream: readResponseStream,
};

export const responsesCallerDialect: CallerDialect<ResponseObject> = {
  readRequest: readResponseRequest,
  writeResponse: writeWholeResponse,
  openStream: writeResponseStream,
};
