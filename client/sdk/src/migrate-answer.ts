/** Converts a response of the Responses API into a chat completion, for code written for chat completions. */
import type {
  ChatAnsweredToolCall,
  ChatCompletion,
  ChatUsage,
  FinishReason,
  ModelResponse,
  OutputPart,
  ResponseUsage,
} from './types.gen.ts';

/**
 * The response as a chat completion: `choices[0].message.content`, `tool_calls`, `finish_reason`, and `usage`. Reasoning is omitted.
 *
 * @throws Error for a response that failed, was canceled, or hasn't ended: chat completions report these as errors.
 */
export function toChatCompletion(response: ModelResponse): ChatCompletion {
  const { id, status, error, created_at, model, output, usage } = response;
  if (status && status !== 'completed' && status !== 'incomplete') {
    throw new Error(error?.message ?? `The response has no answer: its status is ${status}.`);
  }
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const calls = output.flatMap(moveCall);
  const message = {
    role: 'assistant' as const,
    content: joinText(parts),
    refusal: joinRefusal(parts),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    id,
    object: 'chat.completion',
    created: Math.floor(created_at),
    model,
    choices: [{ index: 0, message, finish_reason: toFinishReason(response, calls.length), logprobs: toLogprobs(parts) }],
    ...(usage && { usage: moveUsage(usage) }),
  };
}

/** Null if there is no text, as in chat completions. */
function joinText(parts: readonly OutputPart[]): string | null {
  const texts = parts.flatMap((part) => (part.type === 'output_text' ? [part.text] : []));
  return texts.length > 0 ? texts.join('') : null;
}

function joinRefusal(parts: readonly OutputPart[]): string | null {
  const refusals = parts.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  return refusals.length > 0 ? refusals.join('') : null;
}

/** Uses `call_id`, because results refer to it. The item's `id` is a different ID. */
function moveCall(item: ModelResponse['output'][number]): ChatAnsweredToolCall[] {
  if (item.type === 'function_call') {
    return [{ id: item.call_id, type: 'function', function: { name: item.name, arguments: item.arguments } }];
  }
  return item.type === 'custom_tool_call' ? [{ id: item.call_id, type: 'custom', custom: { name: item.name, input: item.input } }] : [];
}

function toFinishReason({ status, incomplete_details }: ModelResponse, calls: number): FinishReason {
  if (status === 'incomplete') return incomplete_details?.reason === 'content_filter' ? 'content_filter' : 'length';
  return calls > 0 ? 'tool_calls' : 'stop';
}

function toLogprobs(parts: readonly OutputPart[]): ChatCompletion['choices'][number]['logprobs'] {
  const entries = parts.flatMap((part) => (part.type === 'output_text' ? (part.logprobs ?? []) : []));
  if (entries.length === 0) return null;
  const content = entries.map(({ token, logprob, bytes, top_logprobs }) => ({ token, logprob, bytes, top_logprobs: top_logprobs ?? [] }));
  return { content, refusal: null };
}

function moveUsage({ input_tokens, input_tokens_details, output_tokens, output_tokens_details, total_tokens }: ResponseUsage): ChatUsage {
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens,
    ...(input_tokens_details && { prompt_tokens_details: { cached_tokens: input_tokens_details.cached_tokens } }),
    ...(output_tokens_details && { completion_tokens_details: { reasoning_tokens: output_tokens_details.reasoning_tokens } }),
  };
}
