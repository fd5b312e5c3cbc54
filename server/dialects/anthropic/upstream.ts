/** Anthropic's Messages protocol as an upstream of text calls. */
import { openObject, openObjectStream, wantsObject } from '../non-openai/json-object.ts';
import type { UpstreamDialect } from '../turn/turn.ts';
import { readWhole } from './read-answer.ts';
import { openStream } from './read-stream.ts';
import { writeRequest } from './write-request.ts';

export const anthropicUpstream: UpstreamDialect = {
  path: () => '/messages',
  writeRequest: (turn, work) => writeRequest(turn, { work }),
  readWhole: (answer, turn) => (wantsObject(turn) ? openObject()(readWhole(answer, turn)) : readWhole(answer, turn)),
  openStream: (turn) => (wantsObject(turn) ? openObjectStream(openStream(turn)) : openStream(turn)),
};
