/** The dialect of Gemini upstreams. */
import type { UpstreamDialect } from '../dialect.ts';
import { createObjectFilter, openJsonObjectStream } from '../non-openai/json-mode.ts';
import { needsJsonInstruction, writeRequest } from './request.ts';
import { openStream, readResponse } from './stream.ts';

export const geminiDialect: UpstreamDialect = {
  getPath: ({ model, stream }) => `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  writeRequest: (turn, work) => writeRequest(turn, { work }),
  readResponse: (response, turn) =>
    needsJsonInstruction(turn) ? createObjectFilter()(readResponse(response, turn)) : readResponse(response, turn),
  openStream: (turn) => (needsJsonInstruction(turn) ? openJsonObjectStream(openStream(turn)) : openStream(turn)),
};
