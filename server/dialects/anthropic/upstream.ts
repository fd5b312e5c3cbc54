/** Anthropic's Messages protocol as an upstream of text calls. */
import type { UpstreamDialect } from '../turn.ts';
import { readWhole } from './read-answer.ts';
import { openStream } from './read-stream.ts';
import { writeRequest } from './write-request.ts';

export const anthropicUpstream: UpstreamDialect = {
  path: () => '/messages',
  writeRequest: (turn, work) => writeRequest(turn, { work }),
  readWhole,
  openStream,
};
