/** Reads and sets the output limit of a request, and computes the default limit of a model. */
import type { Fields } from '../primitives/fields.ts';
import { DEFAULT_MAX_TOKENS } from './anthropic/rules.ts';
import { type JsonBody, withFields } from './wire/json-body.ts';

/** Field names per operation. The gateway writes the first one. */
const limitFields: Readonly<Record<string, readonly string[]>> = {
  createChatCompletion: ['max_completion_tokens', 'max_tokens'],
  createResponse: ['max_output_tokens'],
};

const FALLBACK_LIMIT_FIELD = 'max_output_tokens';

const allLimitFields = Object.values(limitFields).flat();

const isCount = (value: unknown): value is number => typeof value === 'number' && value > 0;

/** The output limits in a caller's body, in tokens. If the operation is undefined, checks every name. */
export const findOutputLimits = (request: Fields, operation: string | undefined): number[] =>
  ((operation !== undefined && limitFields[operation]) || allLimitFields).map((name) => request[name]).filter(isCount);

/** The number of choices that a caller requests. Defaults to 1. */
export const getChoiceCount = ({ n }: Fields): number => (isCount(n) ? n : 1);

/** Sets this output limit in the field for the caller's operation. */
export const withOutputLimit = (body: JsonBody, limit: number, operation: string): JsonBody =>
  withFields(body, { [limitFields[operation]?.[0] ?? FALLBACK_LIMIT_FIELD]: limit });

/** In tokens. Hardly any model's limit is higher. */
const ASSUMED_OUTPUT_LIMIT = 128_000;

interface OutputLimitSettings {
  readonly maxOutputTokens?: number | undefined;
  readonly candidates: readonly { readonly protocols: readonly string[] }[];
}

/**
 * The output limit in tokens: the configured limit, or the default that's always sent to Anthropic upstreams, or a limit that hardly any model
 * exceeds.
 */
export function getOutputLimit({ maxOutputTokens, candidates }: OutputLimitSettings): number {
  const isAnthropicOnly = candidates.every(({ protocols }) => protocols.every((protocol) => protocol === 'anthropic'));
  return maxOutputTokens ?? (isAnthropicOnly ? DEFAULT_MAX_TOKENS : ASSUMED_OUTPUT_LIMIT);
}

/** The limit to send if the caller sets none. Providers reject a limit above the model's maximum. */
export const getDefaultOutputLimit = ({ maxOutputTokens = DEFAULT_MAX_TOKENS }: OutputLimitSettings): number => maxOutputTokens;
