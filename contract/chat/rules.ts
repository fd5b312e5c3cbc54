/** Rules that involve several fields of a chat request: options that need each other, and tool calls that need results. */
import { createRule, type Fields, isFields, isSet, type RuleIssue, rejectWhen, requireFields } from '../shared/rules.ts';

function* checkOptionPairs(body: Fields): Generator<RuleIssue> {
  if (isSet(body.max_tokens) && isSet(body.max_completion_tokens)) {
    yield { path: ['max_tokens'], message: "'max_tokens' and 'max_completion_tokens' mean the same. Send only one of them." };
  }
  if (isSet(body.stream_options) && body.stream !== true) {
    yield { path: ['stream_options'], message: "'stream_options' requires 'stream: true'." };
  }
  if (isSet(body.top_logprobs) && body.logprobs !== true) {
    yield { path: ['top_logprobs'], message: "'top_logprobs' requires 'logprobs: true'." };
  }
  if (Array.isArray(body.modalities) && body.modalities.includes('audio') && !isSet(body.audio)) {
    yield { path: ['audio'], message: "'audio' is required when 'modalities' contains 'audio'.", code: 'missing_required_parameter' };
  }
}

/** The rules of `checkOptionPairs` as JSON Schema, for the document. */
export const chatConflicts = rejectWhen(
  requireFields({ max_tokens: { type: 'integer' }, max_completion_tokens: { type: 'integer' } }),
  requireFields({ stream_options: { type: 'object' } }, { stream: { enum: [false, null] } }),
  requireFields({ top_logprobs: { type: 'integer' } }, { logprobs: { enum: [false, null] } }),
  requireFields({ modalities: { type: 'array', contains: { const: 'audio' } } }, { audio: { type: 'null' } }),
);

const contentFields = ['content', 'tool_calls', 'refusal', 'audio', 'function_call'];

function* checkEmptyMessages(messages: readonly unknown[]): Generator<RuleIssue> {
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (isFields(message) && message.role === 'assistant' && !contentFields.some((field) => isSet(message[field]))) {
      const where = `messages[${index}]`;
      yield {
        path: ['messages', index, 'content'],
        message: `${where} is empty. An assistant message needs one of: ${contentFields.join(', ')}.`,
      };
    }
  }
}

const getCallIds = (message: Fields): string[] =>
  Array.isArray(message.tool_calls) ? message.tool_calls.flatMap((call) => (isFields(call) ? [String(call.id)] : [])) : [];

const createUnansweredIssue = (index: number, ids: Iterable<string>): RuleIssue => ({
  path: ['messages', index, 'tool_calls'],
  message: `messages[${index}] has tool calls without a following 'tool' message: ${[...ids].join(', ')}.`,
});

/** Checks that every tool result follows its call, and that every call has a result. */
function* checkCallPairs(messages: readonly unknown[]): Generator<RuleIssue> {
  const openCallIds = new Set<string>();
  let count = 0;
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (!isFields(message)) continue;
    if (message.role === 'tool') {
      const id = message.tool_call_id;
      if (typeof id === 'string' && !openCallIds.delete(id)) {
        yield {
          path: ['messages', index, 'tool_call_id'],
          message: `messages[${index}] responds to '${id}', but no open tool call has that ID.`,
        };
      }
      continue;
    }
    if (openCallIds.size > 0) {
      yield createUnansweredIssue(count, openCallIds);
      openCallIds.clear();
    }
    if (isSet(message.tool_calls)) for (const id of getCallIds(message)) openCallIds.add(id);
    count = index;
  }
  if (openCallIds.size > 0) yield createUnansweredIssue(count, openCallIds);
}

export const chatRules = [
  createRule<Fields>(checkOptionPairs),
  createRule<Fields>(function* conversation(body) {
    const messages = body.messages;
    if (!Array.isArray(messages)) return;
    yield* checkEmptyMessages(messages);
    yield* checkCallPairs(messages);
  }),
];
