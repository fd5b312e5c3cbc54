/** Writes a chat completion as one JSON object: the steps of its stream, added up. */
import type { AnswerHead, TurnEvent } from '../turn/turn.ts';
import { ChatAnswer } from './answer.ts';
import { isLegacy } from './legacy.ts';
import type { Completion, Logprobs, Message } from './wire.ts';
import { writeUsage } from './write-usage.ts';

/** Throws the failure that a stream would have ended with. */
export function writeCompletion(events: readonly TurnEvent[], head: AnswerHead): Completion {
  const answer = new ChatAnswer(isLegacy(head.request));
  for (const event of events) answer.take(event);
  answer.end();
  if (answer.failure) throw answer.failure;
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.createdAt,
    model: head.model,
    choices: [{ index: 0, message: writeMessage(answer), logprobs: writeLogprobs(answer), finish_reason: answer.finishReason }],
    ...(answer.usage && { usage: writeUsage(answer.usage) }),
  };
}

/** The content is null only when there are calls or a refusal instead. */
function writeMessage(answer: ChatAnswer): Message {
  const { content, refusal, annotations } = answer;
  const empty = answer.hasCalls || refusal !== null ? null : '';
  return { role: 'assistant', content: content ?? empty, refusal, annotations, ...answer.writeCalls() };
}

function writeLogprobs({ logprobs }: ChatAnswer): Logprobs | null {
  return logprobs.length === 0 ? null : { content: logprobs, refusal: null };
}
