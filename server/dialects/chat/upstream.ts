/** Upstreams that speak chat completions, for callers who speak something else. */
import type { UpstreamDialect } from '../turn/turn.ts';
import { readChatAnswer } from './read-answer.ts';
import { openChatStream } from './read-stream.ts';
import { writeChatRequest } from './write-request.ts';

export const chatUpstream: UpstreamDialect = {
  path: () => '/chat/completions',
  writeRequest: (turn, work) => writeChatRequest(turn, null, work),
  readWhole: (answer, turn) => readChatAnswer(answer, turn),
  openStream: (turn) => openChatStream(turn),
};
