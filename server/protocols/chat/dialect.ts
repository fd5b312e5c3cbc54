/** The dialects of chat completions, for a caller and for an upstream. */
import type { CallerDialect, UpstreamDialect } from '../dialect.ts';
import { readChatRequest } from './read-request.ts';
import { readChatResponse } from './read-response.ts';
import { readChatStream } from './read-stream.ts';
import type { Completion } from './wire.ts';
import { writeChatRequest } from './write-request.ts';
import { writeChatResponse } from './write-response.ts';
import { writeChatStream } from './write-stream.ts';

/** `upstream` is the upstream's name. */
export const createChatUpstreamDialect = (upstream: string): UpstreamDialect => ({
  getPath: () => '/chat/completions',
  writeRequest: (turn, work) => writeChatRequest(turn, { upstream, work }),
  readResponse: (response, turn) => readChatResponse(response, turn, { upstream }),
  openStream: (turn) => readChatStream(turn, { upstream }),
});

export const chatUpstreamDialect: UpstreamDialect = createChatUpstreamDialect('');

export const chatCallerDialect: CallerDialect<Completion> = {
  readRequest: readChatRequest,
  writeResponse: writeChatResponse,
  openStream: writeChatStream,
};
