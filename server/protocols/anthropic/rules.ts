/** Claude's limits, thinking budgets, and schema rules of structured outputs and strict tools, over its own API and over Amazon Bedrock (decision 0039). */

import type { Effort, ModelRules } from '../../config/model-rules.ts';
import type { SchemaRules } from '../canonical/fit-schema.ts';

const keywords = new Set([
  ...['type', 'enum', 'const', 'default', 'description', 'title', 'format', 'pattern'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'anyOf', 'allOf', '$ref', '$defs', 'definitions'],
]);

const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'];

/** Lookaround, backreferences, word boundaries, and long repetitions. */
const UNSUPPORTED_REGEX = /\(\?(?!:)|\\[1-9bBkpP]|\{\d{3,}|,\d{3,}\}/;

const valueChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  format: (value) => formats.includes(String(value)),
  pattern: (value) => !UNSUPPORTED_REGEX.test(String(value)),
  minItems: (value) => value === 0 || value === 1,
  additionalProperties: (value) => value === false,
};

export const claudeSchema: SchemaRules = {
  keywords,
  accepts: (keyword, value) => (Object.hasOwn(valueChecks, keyword) ? valueChecks[keyword]?.(value) === true : true),
  areObjectsClosed: true,
  areReferencesAlone: true,
};

/** The protocol requires a limit on every request. Current models accept this one, and it fits long reasoning plus a long response. */
export const DEFAULT_MAX_TOKENS = 32_000;

/** The longest tool name that every API version accepts. */
export const MAX_TOOL_NAME = 64;

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
};

/** At most half of the output limit, to leave room for the response. Null if the result is below the minimum budget. */
export function toThinkingBudget(effort: Effort, maxTokens: number, { budget }: ModelRules = {}): number | null {
  const tokens = Math.min(budgets[effort], Math.floor(maxTokens / 2), budget?.max ?? Number.POSITIVE_INFINITY);
  return tokens < (budget?.min ?? 1024) ? null : tokens;
}
