/** Maps the finish reasons of vendors to those of the contract. */
import type { FinishReason } from './wire.ts';

const known: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  max_length: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  tool_call: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'function_call',
  content_filter: 'content_filter',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  safety: 'content_filter',
  recitation: 'content_filter',
  refusal: 'content_filter',
};

/** Finish reasons of vendors for an answer that failed. */
const failures = new Set(['error', 'abort', 'insufficient_system_resource', 'load', 'unload']);

/** The reason by the contract's name; `failed` for an answer that the vendor gave up; null when nothing has ended. Any other text is a natural end. */
export function readFinishReason(given: unknown): FinishReason | 'failed' | null {
  if (typeof given !== 'string' || given === '') return null;
  const name = given.toLowerCase();
  return failures.has(name) ? 'failed' : (known[name] ?? 'stop');
}
