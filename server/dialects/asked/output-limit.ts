/** How much output a request asks for: its output limits, by their names in each operation, and the number of answers. */
import type { Fields } from '../../../contract/rule.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';

/** The names by operation; we write the first one. */
const limitNames: Readonly<Record<string, readonly string[]>> = {
  createChatCompletion: ['max_completion_tokens', 'max_tokens'],
  createResponse: ['max_output_tokens'],
};
const OTHER_NAME = 'max_output_tokens';
const anyName = Object.values(limitNames).flat();

const isCount = (value: unknown): value is number => typeof value === 'number' && value > 0;

/** The output limits in a caller's body, in tokens. Without an operation, any name counts. */
export const outputLimitsIn = (asked: Fields, operation: string | undefined): number[] =>
  ((operation !== undefined && limitNames[operation]) || anyName).map((name) => asked[name]).filter(isCount);

/** The number of answers that a caller asks for; 1 by default. */
export const answersAsked = ({ n }: Fields): number => (isCount(n) ? n : 1);

/** The body with this output limit, in the field of the caller's operation. */
export const withOutputLimit = (body: JsonBody, limit: number, operation: string): JsonBody =>
  withFields(body, { [limitNames[operation]?.[0] ?? OTHER_NAME]: limit });
