/** The fields of a response object around its output: it repeats every setting of the request, and always has all keys. */
import type { ResponseRequest } from '../../../contract/responses.ts';
import type { AnswerHead } from '../turn/turn.ts';
import { partition, type Usage } from '../usage.ts';
import type { Item, ResponseObject, Tool } from './wire.ts';

/** Fields that depend on the answer. */
export interface Progress {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly completed_at: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
  readonly output: readonly Item[];
  readonly usage: Usage | null;
}

/** Fields that depend only on the request. */
export type Echo = Omit<ResponseObject, keyof Progress | 'id' | 'object' | 'created_at' | 'model'>;

/** Made once for each answer: it is the same in every event. */
export function readEcho({ request }: AnswerHead): Echo {
  // The contract has validated the body of every call.
  const approved = request as Partial<ResponseRequest>;
  return { ...toolSettings(approved), ...formSettings(approved), ...samplingSettings(approved), ...bookkeeping(approved) };
}

export function writeResponse(head: AnswerHead, echo: Echo, { output, usage, ...progress }: Progress): ResponseObject {
  return {
    id: head.id,
    object: 'response',
    created_at: head.createdAt,
    ...progress,
    model: head.model,
    output,
    ...echo,
    usage: usage && writeUsage(usage),
  };
}

type Request = Partial<ResponseRequest>;

function toolSettings(request: Request): Pick<Echo, 'tools' | 'tool_choice' | 'parallel_tool_calls' | 'max_tool_calls'> {
  return {
    tools: request.tools?.map(writeTool) ?? [],
    tool_choice: request.tool_choice ?? 'auto',
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    max_tool_calls: request.max_tool_calls ?? null,
  };
}

/** An echoed function has all of its keys, also inside a namespace. */
function writeTool(tool: Tool): Tool {
  if (tool.type === 'namespace')
    return { ...tool, tools: tool.tools.map((inner) => (inner.type === 'function' ? writeFunction(inner) : inner)) };
  return tool.type === 'function' ? writeFunction(tool) : tool;
}

type FunctionTool = Extract<Tool, { type: 'function' }>;

function writeFunction(tool: FunctionTool): FunctionTool {
  return { ...tool, description: tool.description ?? null, parameters: tool.parameters ?? null, strict: tool.strict ?? null };
}

type TextFormat = NonNullable<NonNullable<ResponseRequest['text']>['format']>;

function formSettings({ instructions, text, reasoning }: Request): Pick<Echo, 'instructions' | 'text' | 'reasoning'> {
  return {
    instructions: instructions ?? null,
    text: { ...text, format: writeFormat(text?.format ?? { type: 'text' }), verbosity: text?.verbosity ?? 'medium' },
    reasoning: { effort: null, summary: null, ...reasoning },
  };
}

const writeFormat = (format: TextFormat): TextFormat =>
  format.type === 'json_schema' ? { ...format, description: format.description ?? null, strict: format.strict ?? false } : format;

type Sampling = 'temperature' | 'top_p' | 'presence_penalty' | 'frequency_penalty' | 'top_logprobs' | 'max_output_tokens' | 'truncation';

/** Numbers with a default are never null, since strict clients refuse null. */
function samplingSettings(request: Request): Pick<Echo, Sampling> {
  return {
    temperature: request.temperature ?? 1,
    top_p: request.top_p ?? 1,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    top_logprobs: request.top_logprobs ?? 0,
    max_output_tokens: request.max_output_tokens ?? null,
    truncation: request.truncation ?? 'disabled',
  };
}

type Bookkeeping =
  | 'previous_response_id'
  | 'store'
  | 'background'
  | 'service_tier'
  | 'metadata'
  | 'safety_identifier'
  | 'prompt_cache_key'
  | 'user';

function bookkeeping(request: Request): Pick<Echo, Bookkeeping> {
  const tier = request.service_tier ?? 'auto';
  return {
    previous_response_id: request.previous_response_id ?? null,
    store: request.store ?? true,
    background: false,
    service_tier: tier === 'auto' ? 'default' : tier,
    metadata: request.metadata ?? {},
    safety_identifier: request.safety_identifier ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    user: request.user ?? null,
  };
}

/** The details are always complete: coding agents fail on an empty details object. */
function writeUsage(usage: Usage): NonNullable<ResponseObject['usage']> {
  const { input, cachedInput, cacheWrite, output, reasoning, total } = partition(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total,
  };
}
