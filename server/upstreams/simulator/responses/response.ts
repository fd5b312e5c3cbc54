/** The response object: every setting of the request repeated, and what came of it (specification 2.4). */
import type { Ask } from '../plan/ask.ts';
import type { Plan } from '../plan/plan.ts';
import { type JsonRecord, toRecord, toRecords, toText } from '../values.ts';
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
export function writeOpening(answer: Answer): JsonRecord {
  return writeResponse(answer, { completed_at: null, status: 'in_progress', incomplete_details: null, output: [], usage: null });
}

/** The whole answer, which is also what the terminal event carries. `now` in seconds. */
export function writeFinal(answer: Answer, now: number): JsonRecord {
  const { plan, ask } = answer;
  return writeResponse(answer, {
    completed_at: plan.isCut ? null : now,
    status: plan.isCut ? 'incomplete' : 'completed',
    incomplete_details: plan.isCut ? { reason: 'max_output_tokens' } : null,
    output: answer.items.map((item) => writeItem(item, ask)),
    usage: writeUsage(ask, plan),
  });
}

interface Progress {
  readonly completed_at: number | null;
  readonly status: 'in_progress' | 'completed' | 'incomplete';
  readonly incomplete_details: JsonRecord | null;
  readonly output: readonly JsonRecord[];
  readonly usage: JsonRecord | null;
}

function writeResponse({ body, id, createdAt }: Answer, { output, usage, ...progress }: Progress): JsonRecord {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    ...progress,
    error: null,
    instructions: body.instructions ?? null,
    model: body.model,
    output,
    previous_response_id: body.previous_response_id ?? null,
    ...writeToolSettings(body),
    text: writeTextSettings(toRecord(body.text)),
    reasoning: { effort: null, summary: null, ...toRecord(body.reasoning) },
    ...writeSampling(body),
    max_output_tokens: body.max_output_tokens ?? null,
    truncation: body.truncation ?? 'disabled',
    ...writeBookkeeping(body),
    usage,
  };
}

function writeToolSettings(body: JsonRecord): JsonRecord {
  return {
    tools: toRecords(body.tools).map(writeTool),
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    max_tool_calls: body.max_tool_calls ?? null,
  };
}

/** An echoed function has all of its keys. */
function writeTool(tool: JsonRecord): JsonRecord {
  if (tool.type !== 'function') return tool;
  return { ...tool, description: tool.description ?? null, parameters: tool.parameters ?? null, strict: tool.strict ?? null };
}

function writeTextSettings(text: JsonRecord): JsonRecord {
  const format = toRecord(text.format ?? { type: 'text' });
  const isSchema = format.type === 'json_schema';
  const full = isSchema ? { ...format, description: format.description ?? null, strict: format.strict ?? false } : format;
  return { ...text, format: full, verbosity: text.verbosity ?? 'medium' };
}

function writeSampling(body: JsonRecord): JsonRecord {
  return {
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    top_logprobs: body.top_logprobs ?? 0,
  };
}

function writeBookkeeping(body: JsonRecord): JsonRecord {
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

function writeUsage(ask: Ask, plan: Plan): JsonRecord {
  return {
    input_tokens: ask.inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: plan.outputTokens,
    output_tokens_details: { reasoning_tokens: plan.reasoningTokens },
    total_tokens: ask.inputTokens + plan.outputTokens,
  };
}
