/** Rules over a complete body, for what the schema of a single field can't express. A rule never changes the body. */
import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** A JSON object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
/** Null is treated as omitted everywhere. */
export const isSet = (value: unknown) => value !== null && value !== undefined;

type Schemas = Readonly<Record<string, object>>;

/** A JSON schema of bodies that a rule rejects: the first fields are present and match, the second ones are missing or match. Only the document uses it. */
export const together = (there: Schemas, missing: Schemas = {}) => ({ required: Object.keys(there), properties: { ...there, ...missing } });

/**
 * For the `meta` of a schema: a body that matches one of these is invalid. `not` would be shorter, but code generators make types of what
 * is below `not`, and none of them makes types of this form.
 */
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits it.
export const rejecting = (...cases: readonly object[]) => ({ if: { anyOf: cases }, then: { not: {} } });

/** A problem that a schema can't express; `params.code` is the error code of the response. */
export interface RuleIssue {
  readonly path: (string | number)[];
  readonly message: string;
  readonly code?: ErrorCode;
}

/** A rule over a whole request body. It runs even when single fields have failed, and never changes the value. */
export function rule<T>(find: (body: T) => Iterable<RuleIssue>, when: (body: unknown) => boolean = () => true): z.core.$ZodCheck<T> {
  const check = z.check<T>((payload) => {
    for (const { path, message, code = 'invalid_value' } of find(payload.value)) {
      payload.issues.push({ code: 'custom', path, message, params: { code }, input: payload.value, continue: true });
    }
  });
  check._zod.def.when = (payload) => typeof payload.value === 'object' && payload.value !== null && when(payload.value);
  return check;
}
