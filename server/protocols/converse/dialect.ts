/** The dialect of Converse upstreams. */
import type { UpstreamDialect } from '../dialect.ts';
import { createObjectFilter, openJsonObjectStream, wantsJsonMode } from '../non-openai/json-mode.ts';
import { findDroppedFields, writeRequest } from './request.ts';
import { readResponse } from './response.ts';
import { openStream } from './stream.ts';

export const converseDialect: UpstreamDialect = {
  // The ID can be an ARN with colons and slashes.
  getPath: ({ model, stream }) => `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
  writeRequest,
  findDroppedFields,
  readResponse: (response, turn) =>
    wantsJsonMode(turn) ? createObjectFilter()(readResponse(response, turn)) : readResponse(response, turn),
  openStream: (turn) => (wantsJsonMode(turn) ? openJsonObjectStream(openStream(turn)) : openStream(turn)),
};
