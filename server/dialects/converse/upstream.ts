/** Converse of Amazon Bedrock as an upstream of text calls: one body for the models of all vendors there. */
import { openObject, openObjectStream, wantsObject } from '../non-openai/json-object.ts';
import type { UpstreamDialect } from '../turn/turn.ts';
import { readWhole } from './read-answer.ts';
import { openStream } from './read-stream.ts';
import { leftOut, writeRequest } from './write-request.ts';

export const converseUpstream: UpstreamDialect = {
  // The id may be an ARN with colons and slashes.
  path: ({ model, stream }) => `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
  writeRequest,
  leftOut,
  readWhole: (answer, turn) => (wantsObject(turn) ? openObject()(readWhole(answer, turn)) : readWhole(answer, turn)),
  openStream: (turn) => (wantsObject(turn) ? openObjectStream(openStream(turn)) : openStream(turn)),
};
