/** Reads a chat request into a turn. */
import { ReasoningEffort } from '../../../contract/bounds.ts';
import type { ChatCompletionRequest } from '../../../contract/chat.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { Effort, Format, Settings, Turn } from '../turn/turn.ts';
import { readExtras, readHints, readUnknown } from '../wire/body-fields.ts';
import { readMessages } from './read-messages.ts';
import { readToolChoice, readTools } from './read-tools.ts';

export function readChatRequest(body: Fields, model: string): Turn {
  // The contract has validated this body before any dialect sees it.
  const request = body as ChatCompletionRequest;
  return {
    caller: 'chat',
    model,
    stream: request.stream === true,
    instructions: null,
    items: readMessages(request.messages),
    tools: readTools(request),
    toolChoice: readToolChoice(request),
    parallelToolCalls: request.parallel_tool_calls ?? null,
    format: readFormat(request),
    settings: readSettings(request),
    effort: request.reasoning_effort ?? readReasoning(body.reasoning),
    reasoningSummary: null,
    verbosity: request.verbosity ?? null,
    hints: readHints(body),
    extras: readExtras(body),
    unknown: readUnknown(body).filter((name) => name !== 'reasoning'),
  };
}

/** Some bridges send `reasoning`, which the chat schema does not have: it is validated here. */
function readReasoning(reasoning: unknown): Effort | null {
  const effort = isFields(reasoning) ? (reasoning.effort ?? null) : null;
  const parsed = ReasoningEffort.nullable().safeParse(effort);
  if (parsed.success) return parsed.data;
  const message = `'reasoning.effort' has to be one of ${ReasoningEffort.options.join(', ')}.`;
  throw new GatewayError<CallCode>('invalid_value', { param: 'reasoning.effort', message });
}

/** On chat an absent `strict` means false. */
function readFormat({ response_format }: ChatCompletionRequest): Format {
  if (response_format?.type === 'json_object') return { kind: 'json' };
  if (response_format?.type !== 'json_schema') return { kind: 'text' };
  const { name, description, schema, strict } = response_format.json_schema;
  return { kind: 'schema', name, description: description ?? null, schema: schema ?? {}, strict: strict ?? false };
}

function readSettings(request: ChatCompletionRequest): Settings {
  const { stop, logit_bias: bias } = request;
  return {
    maxOutputTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
    temperature: request.temperature ?? null,
    topP: request.top_p ?? null,
    stop: typeof stop === 'string' ? [stop] : (stop ?? []),
    n: request.n ?? null,
    seed: request.seed ?? null,
    presencePenalty: request.presence_penalty ?? null,
    frequencyPenalty: request.frequency_penalty ?? null,
    logitBias: bias && Object.keys(bias).length > 0 ? bias : null,
    topLogprobs: request.logprobs === true ? (request.top_logprobs ?? 0) : null,
  };
}
