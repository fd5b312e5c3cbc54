/** The response object: every setting of the request repeated, and what came of it. */
import type { ResponseRequest } from '../../../contract/responses.ts';
import type * as wire from '../../dialects/responses/wire.ts';
import type { Ask } from '../plan/ask.ts';
import type { Plan } from '../plan/plan.ts';
import { type JsonRecord, toText } from '../values.ts';
import { type OutputItem, writeItem } from './items.ts';

/** What all of one answer shares, whole or streamed. */
export interface Answer {
  readonly ask: Ask;
  readonly body: JsonRecord;
  readonly plan: Plan;
  readonly items: readonly OutputItem[];
  readonly id: string;
  /** Seconds. */
  readonly createdAt: number;
}

/** The object of the opening events: nothing has come yet. */
export function writeOpening(answer: Answer): wire.ResponseObject {
  return writeResponse(answer, { completed_at: null, status: 'in_progress', incomplete_details: null, output: [], usage: null });
}

/** The whole answer, which is also what the terminal event carries. `now` in seconds. */
export function writeFinal(answer: Answer, now: number): wire.ResponseObject {
  const { plan, ask } = answer;
  return writeResponse(answer, {
    completed_at: plan.isCut ? null : now,
    status: plan.isCut ? 'incomplete' : 'completed',
    incomplete_details: plan.isCut ? { reason: 'max_output_tokens' } : null,
    output: answer.items.map((item) => writeItem(item, ask)),
    usage: writeUsage(ask, plan),
  });
}

type Progress = Required<Pick<wire.ResponseObject, 'completed_at' | 'status' | 'incomplete_details' | 'output' | 'usage'>>;
/** The gateway has checked the body; JSON that is handed about has no type of its own. */
type Request = Partial<ResponseRequest>;

function writeResponse({ body, id, createdAt }: Answer, { output, usage, ...progress }: Progress): wire.ResponseObject {
  const request = body as Request;
  return {
    id,
    object: 'response',
    created_at: createdAt,
    ...progress,
    error: null,
    instructions: request.instructions ?? null,
    model: toText(body.model),
    output,
    previous_response_id: request.previous_response_id ?? null,
    ...writeToolSettings(request),
    text: writeTextSettings(request.text),
    reasoning: { effort: null, summary: null, ...request.reasoning },
    ...writeSampling(request),
    max_output_tokens: request.max_output_tokens ?? null,
    truncation: request.truncation ?? 'disabled',
    ...writeBookkeeping(request),
    usage,
  };
}

type Settings<Name extends keyof wire.ResponseObject> = Pick<wire.ResponseObject, Name>;

function writeToolSettings(body: Request): Settings<'tools' | 'tool_choice' | 'parallel_tool_calls' | 'max_tool_calls'> {
  return {
    tools: body.tools?.map(writeTool) ?? [],
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    max_tool_calls: body.max_tool_calls ?? null,
  };
}

/** An echoed function has all of its keys. */
function writeTool(tool: wire.Tool): wire.Tool {
  if (tool.type !== 'function') return tool;
  return { ...tool, description: tool.description ?? null, parameters: tool.parameters ?? null, strict: tool.strict ?? null };
}

function writeTextSettings(text: Request['text']): NonNullable<wire.ResponseObject['text']> {
  return { ...text, format: writeFormat(text?.format ?? { type: 'text' }), verbosity: text?.verbosity ?? 'medium' };
}

type Format = NonNullable<NonNullable<Request['text']>['format']>;

const writeFormat = (format: Format): Format =>
  format.type === 'json_schema' ? { ...format, description: format.description ?? null, strict: format.strict ?? false } : format;

type Sampling = 'temperature' | 'top_p' | 'presence_penalty' | 'frequency_penalty' | 'top_logprobs';

function writeSampling(body: Request): Settings<Sampling> {
  return {
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    top_logprobs: body.top_logprobs ?? 0,
  };
}

type Bookkeeping = 'store' | 'background' | 'service_tier' | 'metadata' | 'safety_identifier' | 'prompt_cache_key' | 'user';

function writeBookkeeping(body: Request): Settings<Bookkeeping> {
  const tier = toText(body.service_tier);
  return {
    store: body.store ?? true,
    background: false,
    service_tier: tier === '' || tier === 'auto' ? 'default' : tier,
    metadata: body.metadata ?? {},
    safety_identifier: body.safety_identifier ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    user: body.user ?? null,
  };
}

function writeUsage(ask: Ask, plan: Plan): NonNullable<wire.ResponseObject['usage']> {
  return {
    input_tokens: ask.inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: plan.outputTokens,
    output_tokens_details: { reasoning_tokens: plan.reasoningTokens },
    total_tokens: ask.inputTokens + plan.outputTokens,
  };
}
