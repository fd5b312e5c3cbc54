/** Gemini's generateContent as an upstream of text calls. */
import { openObject, openObjectStream } from '../non-openai/json-object.ts';
import type { UpstreamDialect } from '../turn/turn.ts';
import { openStream, readWhole } from './read-stream.ts';
import { asksInWords, writeRequest } from './write-request.ts';

export const geminiUpstream: UpstreamDialect = {
  path: ({ model, stream }) => `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  writeRequest,
  readWhole: (answer, turn) => (asksInWords(turn) ? openObject()(readWhole(answer, turn)) : readWhole(answer, turn)),
  openStream: (turn) => (asksInWords(turn) ? openObjectStream(openStream(turn)) : openStream(turn)),
};
