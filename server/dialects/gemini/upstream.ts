/** Gemini's generateContent as an upstream of text calls. */
import type { UpstreamDialect } from '../turn.ts';
import { openStream, readWhole } from './read-stream.ts';
import { writeRequest } from './write-request.ts';

export const geminiUpstream: UpstreamDialect = {
  path: ({ model, stream }) => `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  writeRequest,
  readWhole,
  openStream,
};
