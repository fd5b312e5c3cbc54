/** Reads the settings of a request that every response repeats, with their defaults. */

import type { ResponseRequest } from '../../../contract/responses.ts';
import type { ResponseHead } from '../dialect.ts';
import type { Usage } from '../usage.ts';
import type { Item, ResponseObject, Tool } from './wire.ts';

/** Fields that depend on the response. */
export interface ResponseProgress {
  readonly status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly completed_at: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
  readonly output: readonly Item[];
  readonly usage: Usage | null;
}

/** The progress of a response that has no output yet. */
export const NO_PROGRESS: ResponseProgress = {
  status: 'in_progress',
  completed_at: null,
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
};

/** Fields that depend only on the request. */
export type EchoedSettings = Omit<ResponseObject, keyof ResponseProgress | 'id' | 'object' | 'created_at' | 'model'>;

/** Created once per response, because it's the same in every event. */
export function readEchoedSettings({ request }: ResponseHead): EchoedSettings {
  // The contract has validated the body of every call.
  const validRequest = request as Partial<ResponseRequest>;
  return {
    ...getToolSettings(validRequest),
    ...getFormatSettings(validRequest),
    ...getSamplingSettings(validRequest),
    ...getMetadataFields(validRequest),
  };
}

type Request = Partial<ResponseRequest>;

function getToolSettings(request: Request): Pick<EchoedSettings, 'tools' | 'tool_choice' | 'parallel_tool_calls' | 'max_tool_calls'> {
  return {
    tools: request.tools?.map(writeTool) ?? [],
    tool_choice: request.tool_choice ?? 'auto',
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    max_tool_calls: request.max_tool_calls ?? null,
  };
}

/** An echoed function has all its keys, even inside a namespace. */
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

function getFormatSettings({ instructions, text, reasoning }: Request): Pick<EchoedSettings, 'instructions' | 'text' | 'reasoning'> {
  return {
    instructions: instructions ?? null,
    text: { ...text, format: writeFormat(text?.format ?? { type: 'text' }), verbosity: text?.verbosity ?? 'medium' },
    reasoning: { effort: null, summary: null, ...reasoning },
  };
}

const writeFormat = (format: TextFormat): TextFormat =>
  format.type === 'json_schema' ? { ...format, description: format.description ?? null, strict: format.strict ?? false } : format;

type SamplingField =
  | 'temperature'
  | 'top_p'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'top_logprobs'
  | 'max_output_tokens'
  | 'truncation';

/** Numbers with a default are never null, because strict clients reject null. */
function getSamplingSettings(request: Request): Pick<EchoedSettings, SamplingField> {
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

type MetadataField =
  | 'previous_response_id'
  | 'store'
  | 'background'
  | 'service_tier'
  | 'metadata'
  | 'safety_identifier'
  | 'prompt_cache_key'
  | 'user';

function getMetadataFields(request: Request): Pick<EchoedSettings, MetadataField> {
  const tier = request.service_tier ?? 'auto';
  return {
    previous_response_id: request.previous_response_id ?? null,
    store: request.store ?? true,
    background: request.background ?? false,
    service_tier: tier === 'auto' ? 'default' : tier,
    metadata: request.metadata ?? {},
    safety_identifier: request.safety_identifier ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    user: request.user ?? null,
  };
}
