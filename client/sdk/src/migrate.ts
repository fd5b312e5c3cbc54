/** `@modelgate/client/migrate`: from chat to responses, as pure functions for code on its way from the one to the other. */
import { moveMessages } from './migrate-messages.ts';
import { moveFormat, moveToolChoice, moveTools } from './migrate-tools.ts';
import type { ChatCompletionRequest, ResponseRequest } from './types.gen.ts';

export { toChatCompletion } from './migrate-answer.ts';

/** A part of the chat request that a responses request does not have, or that has another meaning there. */
export interface MigrationNote {
  /** Path of the field in the chat request. */
  readonly field: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** A request for `POST /v1/responses`, and what to check before it replaces the old one. */
export interface Migration {
  readonly request: ResponseRequest;
  readonly notes: readonly MigrationNote[];
}

const MIN_OUTPUT_TOKENS = 16;
const LOGPROBS = 'message.output_text.logprobs';

/** Fields that exist only in chat, and what to use instead. */
const left: Readonly<Record<string, string>> = {
  stop: 'Ask for the ending in `instructions`, or cut the text where it is read.',
  seed: 'Drop it: answers cannot be repeated.',
  logit_bias: 'Ask for or against words in `instructions`.',
  audio: 'Stay on chat for audio answers.',
  prediction: 'Drop it: the answer is the same, but may take longer.',
};

const isSet = (value: unknown) => value !== null && value !== undefined;

/** Turns a chat request into a responses request. The chat request stays as it is. */
export function toResponseRequest(chat: ChatCompletionRequest): Migration {
  const { messages, tools, functions, function_call, tool_choice, response_format, verbosity, web_search_options, ...others } = chat;
  const { reasoning, reasoning_effort, max_completion_tokens, max_tokens, logprobs, stream_options, store, ...more } = others;
  const { n, stop: _stop, seed: _seed, logit_bias: _bias, modalities, audio: _audio, prediction: _prediction, ...same } = more;
  const notes: MigrationNote[] = [];
  const effort = reasoning_effort ?? reasoning?.effort;
  const format = moveFormat(response_format, notes);
  const request: ResponseRequest = {
    ...same,
    ...moveMessages(messages, notes),
    ...(isSet(effort) && { reasoning: { effort } }),
    ...((format || isSet(verbosity)) && { text: { ...(format && { format }), ...(isSet(verbosity) && { verbosity }) } }),
    ...moveTools({ tools, functions, web_search_options }),
    ...moveToolChoice(tool_choice ?? function_call),
    ...moveLimit(max_completion_tokens ?? max_tokens, isSet(max_completion_tokens) ? 'max_completion_tokens' : 'max_tokens', notes),
    ...(logprobs && { include: [LOGPROBS] }),
    ...(isSet(stream_options?.include_obfuscation) && { stream_options: { include_obfuscation: stream_options?.include_obfuscation } }),
    // Chat keeps nothing unless it is asked to; responses keep everything unless they are asked not to.
    store: store ?? false,
  };
  notes.push(...notesOnFields(chat), ...notesOnMany(n, modalities));
  return { request, notes };
}

function moveLimit(limit: number | null | undefined, field: string, notes: MigrationNote[]): Pick<ResponseRequest, 'max_output_tokens'> {
  if (limit === null || limit === undefined) return {};
  if (limit < MIN_OUTPUT_TOKENS)
    notes.push({ field, remedy: `\`max_output_tokens\` is at least ${MIN_OUTPUT_TOKENS}; it was raised to that.` });
  return { max_output_tokens: Math.max(limit, MIN_OUTPUT_TOKENS) };
}

function notesOnFields(chat: ChatCompletionRequest): MigrationNote[] {
  // Read by name alone: whether a field is set is all that counts here.
  const fields = chat as unknown as Readonly<Record<string, unknown>>;
  const notes = Object.entries(left).flatMap(([field, remedy]) => (isSet(fields[field]) ? [{ field, remedy }] : []));
  if (chat.stream) notes.push({ field: 'stream', remedy: 'Read events by their `type`: there are no chunks with `choices`.' });
  if (chat.stream_options?.include_usage) {
    notes.push({ field: 'stream_options.include_usage', remedy: 'Drop it: the last event of a stream always carries the usage.' });
  }
  if (!isSet(chat.store)) {
    notes.push({ field: 'store', remedy: 'It was set to false, as chat has it; set it to true to go on with `previous_response_id`.' });
  }
  return notes;
}

function notesOnMany(n: number | null | undefined, modalities: ChatCompletionRequest['modalities']): MigrationNote[] {
  return [
    ...((n ?? 1) > 1 ? [{ field: 'n', remedy: 'A response has one answer: send the request once for each.' }] : []),
    ...(modalities?.includes('audio') ? [{ field: 'modalities', remedy: 'Stay on chat for audio answers.' }] : []),
  ];
}
