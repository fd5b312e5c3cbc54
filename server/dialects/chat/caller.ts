/** Callers who speak chat, over an upstream that speaks something else. */
import type { CallerDialect } from '../turn/turn.ts';
import { readChatRequest } from './read-request.ts';
import type { Completion } from './wire.ts';
import { writeCompletion } from './write-answer.ts';
import { openChatStream } from './write-stream.ts';

export const chatCaller: CallerDialect<Completion> = {
  readRequest: readChatRequest,
  writeWhole: writeCompletion,
  openStream: openChatStream,
};
