/** The response object around its output: every setting of the request repeated, all keys always there (specification 2.4). */
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { AnswerHead } from '../turn.ts';
import { partition, type Usage } from '../usage.ts';

/** What is not known from the request alone. */
export interface Progress {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly completed_at: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
  readonly output: readonly Fields[];
  readonly usage: Usage | null;
}

type Echo = Fields;

const fieldsOf = (value: unknown): Fields => (isFields(value) && !Array.isArray(value) ? value : {});

/** The part that is the same in every event of one answer: made once. */
export function readEcho({ request }: AnswerHead): Echo {
  return { ...toolSettings(request), ...formSettings(request), ...samplingSettings(request), ...bookkeeping(request) };
}

export function writeResponse(head: AnswerHead, echo: Echo, { output, usage, ...progress }: Progress): Fields {
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

function toolSettings(request: Fields): Fields {
  return {
    tools: Array.isArray(request.tools) ? request.tools.map(writeTool) : [],
    tool_choice: request.tool_choice ?? 'auto',
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    max_tool_calls: request.max_tool_calls ?? null,
  };
}

/** An echoed function has all of its keys, also inside a namespace. */
function writeTool(value: unknown): Fields {
  const tool = fieldsOf(value);
  if (tool.type === 'namespace' && Array.isArray(tool.tools)) return { ...tool, tools: tool.tools.map(writeTool) };
  if (tool.type !== 'function') return tool;
  return { ...tool, description: tool.description ?? null, parameters: tool.parameters ?? null, strict: tool.strict ?? null };
}

function formSettings(request: Fields): Fields {
  const text = fieldsOf(request.text);
  const format = fieldsOf(text.format ?? { type: 'text' });
  const isSchema = format.type === 'json_schema';
  return {
    instructions: request.instructions ?? null,
    text: {
      ...text,
      format: isSchema ? { ...format, description: format.description ?? null, strict: format.strict ?? false } : format,
      verbosity: text.verbosity ?? 'medium',
    },
    reasoning: { effort: null, summary: null, ...fieldsOf(request.reasoning) },
  };
}

/** Numbers, never null: strict readers refuse the null. */
function samplingSettings(request: Fields): Fields {
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

function bookkeeping(request: Fields): Fields {
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

/** Details are filled or the whole is null: coding agents fail on an empty details object. */
function writeUsage(usage: Usage): Fields {
  const { input, cachedInput, cacheWrite, output, reasoning, total } = partition(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total,
  };
}
