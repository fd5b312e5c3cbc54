/** Callers who speak responses, over an upstream that speaks something else. */
import type { CallerDialect } from '../turn/turn.ts';
import { readResponseRequest } from './read-request.ts';
import type { ResponseObject } from './wire.ts';
import { writeWholeResponse } from './write-answer.ts';
import { openResponseStream } from './write-stream.ts';

export const responsesCaller: CallerDialect<ResponseObject> = {
  readRequest: readResponseRequest,
  writeWhole: writeWholeResponse,
  openStream: openResponseStream,
};
