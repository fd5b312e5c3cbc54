/** Reads a responses request into a turn. */
import type { ResponseRequest } from '../../../contract/responses.ts';
import type { Fields } from '../../../contract/rule.ts';
import type { Format, Settings, Turn } from '../turn/turn.ts';
import { readExtras, readHints, readUnknown } from '../wire/body-fields.ts';
import { readInput } from './read-input.ts';
import { readToolChoice, readTools } from './read-tools.ts';

/** `previous_response_id` is no part of a turn: the items it stands for are. */
export function readResponseRequest(body: Fields, model: string): Turn {
  // The contract has parsed this body before any dialect sees it.
  const request = body as ResponseRequest;
  return {
    caller: 'responses',
    model,
    stream: request.stream === true,
    instructions: request.instructions ?? null,
    items: readInput(request.input),
    tools: readTools(request),
    toolChoice: readToolChoice(request.tool_choice),
    parallelToolCalls: request.parallel_tool_calls ?? null,
    format: readFormat(request),
    settings: readSettings(request),
    effort: request.reasoning?.effort ?? null,
    reasoningSummary: request.reasoning?.summary ?? request.reasoning?.generate_summary ?? null,
    verbosity: request.text?.verbosity ?? null,
    hints: readHints(body),
    extras: readExtras(body),
    unknown: readUnknown(body),
  };
}

function readFormat({ text }: ResponseRequest): Format {
  const format = text?.format;
  if (format?.type === 'json_object') return { kind: 'json' };
  if (format?.type !== 'json_schema') return { kind: 'text' };
  const { name, description, schema, strict } = format;
  return { kind: 'schema', name, description: description ?? null, schema, strict: strict ?? null };
}

function readSettings(request: ResponseRequest): Settings {
  const wantsLogprobs = request.include?.includes('message.output_text.logprobs') === true;
  return {
    maxOutputTokens: request.max_output_tokens ?? null,
    temperature: request.temperature ?? null,
    topP: request.top_p ?? null,
    stop: [],
    n: null,
    seed: null,
    presencePenalty: request.presence_penalty ?? null,
    frequencyPenalty: request.frequency_penalty ?? null,
    logitBias: null,
    topLogprobs: wantsLogprobs ? (request.top_logprobs ?? 0) : null,
  };
}
