/** The dialect of upstreams with Anthropic's Messages protocol. */
import type { UpstreamDialect } from '../dialect.ts';
import { createObjectFilter, openJsonObjectStream, wantsJsonMode } from '../non-openai/json-mode.ts';
import { writeRequest } from './request.ts';
import { readResponse } from './response.ts';
import { openStream } from './stream.ts';

export const anthropicDialect: UpstreamDialect = {
  getPath: () => '/messages',
  writeRequest: (turn, work) => writeRequest(turn, { work }),
  readResponse: (response, turn) =>
    wantsJsonMode(turn) ? createObjectFilter()(readResponse(response, turn)) : readResponse(response, turn),
  openStream: (turn) => (wantsJsonMode(turn) ? openJsonObjectStream(openStream(turn)) : openStream(turn)),
};
