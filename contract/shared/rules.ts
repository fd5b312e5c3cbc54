/** Rules over a complete body, for checks that involve several fields. Rules never change the body. */
import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** A JSON object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
/** Whether a field has a value. All rules treat null as omitted. */
export const isSet = (value: unknown) => value !== null && value !== undefined;

type Schemas = Readonly<Record<string, object>>;

/**
 * Returns a JSON schema for bodies that a rule rejects. `present` fields exist and match; `missing` fields are omitted or match. Used only
 * in the document.
 */
export const requireFields = (present: Schemas, missing: Schemas = {}) => ({
  required: Object.keys(present),
  properties: { ...present, ...missing },
});

/**
 * Returns schema metadata that rejects bodies matching one of the cases. A plain `not` is shorter, but code generators would create types
 * from its content.
 */
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits it.
export const rejectWhen = (...cases: readonly object[]) => ({ if: { anyOf: cases }, then: { not: {} } });

/** A problem that a schema can't express. `code` is the error code of the response, and defaults to `invalid_value`. */
export interface RuleIssue {
  readonly path: (string | number)[];
  readonly message: string;
  readonly code?: ErrorCode;
}

/** Creates a rule over a whole body. It also runs if single fields are invalid, and never changes the value. */
export function createRule<T>(
  findIssues: (body: T) => Iterable<RuleIssue>,
  appliesTo: (body: unknown) => boolean = () => true,
): z.core.$ZodCheck<T> {
  const check = z.check<T>((payload) => {
    for (const { path, message, code = 'invalid_value' } of findIssues(payload.value)) {
      payload.issues.push({ code: 'custom', path, message, params: { code }, input: payload.value, continue: true });
    }
  });
  check._zod.def.when = (payload) => typeof payload.value === 'object' && payload.value !== null && appliesTo(payload.value);
  return check;
}
