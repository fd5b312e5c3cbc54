/** OpenAI as it is strict about chat: which models take function tools there, with which effort (measured by many callers in 2026). */
import { chatCompletion, chatFrames, type FakeToolCall } from './chat.ts';
import { json, stream } from './delivery.ts';
import type { FakeRequest } from './exchange.ts';
import { failure } from './faults.ts';
import { response, responseFrames } from './responses.ts';
import type { Script } from './script.ts';

export interface Turn {
  readonly text?: string;
  readonly thought?: string;
  readonly calls?: readonly FakeToolCall[];
}

const withEffort = /^gpt-5\.[2-5]/;
const withAnyTools = /^gpt-(?:5\.[6-9]|6)|^mystery/;
const onlyResponses = /codex/;

/** Refuses what the vendor refuses, and answers with `turn` otherwise. */
export function strictOpenAi({ path, fields }: FakeRequest, turn: Turn): Script {
  const model = String(fields.model);
  if (path === '/v1/chat/completions') {
    const refusal = refusalOf(model, fields);
    if (refusal) return refusal;
    const reply = { model, text: turn.text ?? null, toolCalls: turn.calls ?? [], includeUsage: true };
    return fields.stream === true ? stream(chatFrames(reply)) : json(chatCompletion(reply));
  }
  const reply = {
    model,
    ...(turn.thought !== undefined && { reasoning: turn.thought }),
    ...(turn.text !== undefined && { text: turn.text }),
    ...(turn.calls && { toolCalls: turn.calls }),
  };
  return fields.stream === true ? stream(responseFrames(reply)) : json(response(reply));
}

function refusalOf(model: string, { tools, reasoning_effort: effort }: Readonly<Record<string, unknown>>): Script | null {
  if (onlyResponses.test(model)) {
    const message = 'This model is only supported in v1/responses and not in v1/chat/completions.';
    return failure(404, { message, param: 'model' });
  }
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const isRejected =
    hasTools && (withAnyTools.test(model) ? effort !== 'none' : withEffort.test(model) && effort != null && effort !== 'none');
  if (!isRejected) return null;
  const message = `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`;
  return failure(400, { message, param: 'reasoning_effort' });
}
