/** Rules for a chat request that involve several fields: options that need each other, and tool calls that need results. */
import { type Fields, isFields, isSet, type RuleIssue, rejecting, rule, together } from '../shared/rules.ts';

function* optionPairs(body: Fields): Generator<RuleIssue> {
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

/** The rules of `optionPairs` as JSON Schema, for readers of the document. */
export const chatNever = rejecting(
  together({ max_tokens: { type: 'integer' }, max_completion_tokens: { type: 'integer' } }),
  together({ stream_options: { type: 'object' } }, { stream: { enum: [false, null] } }),
  together({ top_logprobs: { type: 'integer' } }, { logprobs: { enum: [false, null] } }),
  together({ modalities: { type: 'array', contains: { const: 'audio' } } }, { audio: { type: 'null' } }),
);

const carriers = ['content', 'tool_calls', 'refusal', 'audio', 'function_call'];

function* emptyAnswers(messages: readonly unknown[]): Generator<RuleIssue> {
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (isFields(message) && message.role === 'assistant' && !carriers.some((field) => isSet(message[field]))) {
      const where = `messages[${index}]`;
      yield {
        path: ['messages', index, 'content'],
        message: `${where} is empty. An assistant message needs one of: ${carriers.join(', ')}.`,
      };
    }
  }
}

const callIds = (message: Fields): string[] =>
  Array.isArray(message.tool_calls) ? message.tool_calls.flatMap((call) => (isFields(call) ? [String(call.id)] : [])) : [];

const unanswered = (index: number, ids: Iterable<string>): RuleIssue => ({
  path: ['messages', index, 'tool_calls'],
  message: `messages[${index}] has tool calls without a following 'tool' message: ${[...ids].join(', ')}.`,
});

/** Goes through the conversation and tracks the calls that have no result yet. */
function* brokenPairs(messages: readonly unknown[]): Generator<RuleIssue> {
  const open = new Set<string>();
  let asked = 0;
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (!isFields(message)) continue;
    if (message.role === 'tool') {
      const id = message.tool_call_id;
      if (typeof id === 'string' && !open.delete(id)) {
        yield {
          path: ['messages', index, 'tool_call_id'],
          message: `messages[${index}] responds to '${id}', but no open tool call has that ID.`,
        };
      }
      continue;
    }
    if (open.size > 0) {
      yield unanswered(asked, open);
      open.clear();
    }
    if (isSet(message.tool_calls)) for (const id of callIds(message)) open.add(id);
    asked = index;
  }
  if (open.size > 0) yield unanswered(asked, open);
}

export const chatRules = [
  rule<Fields>(optionPairs),
  rule<Fields>(function* conversation(body) {
    const messages = body.messages;
    if (!Array.isArray(messages)) return;
    yield* emptyAnswers(messages);
    yield* brokenPairs(messages);
  }),
];
