/** The error body, and the one of each status of an operation, with exactly the codes that the operation can return. */
import { z } from 'zod';
import {
  type CodeOf,
  type ErrorCode,
  type ErrorStatus,
  errorCodes,
  errorTable,
  errorTypes,
  type StatusOf,
  type TypeOf,
} from '../errors.ts';

/**
 * The body of every response that isn't 2xx, and of an error inside a stream. All four keys are always present.
 * `param` is the path of the field at fault (`messages[2].content[0].image_url`), or null if no field is.
 */
export const ErrorBody = z
  .object({
    error: z
      .object({
        message: z.string().meta({ description: 'A human-readable message with the problem and how to fix it. The wording may change.' }),
        type: z.enum(errorTypes).meta({ description: 'The general category of the error.' }),
        param: z
          .string()
          .nullable()
          .meta({ description: 'The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it.' }),
        code: z.enum(errorCodes).meta({ description: 'The exact reason, for use in code. Each code has exactly one status and one type.' }),
      })
      .meta({ id: 'ErrorDetail', description: 'The error. All four fields are always present.' })
      .describe('Details of the error.'),
  })
  .meta({
    id: 'ErrorBody',
    description: "The body of every response that isn't 2xx.",
    examples: [
      { error: { message: errorTable.model_not_found.message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } },
    ],
  });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The body of an error with one of these codes. */
export interface ErrorBodyOf<Code extends ErrorCode> {
  error: { message: string; type: TypeOf<Code>; param: string | null; code: Code };
}
/** By status, the bodies of the codes with that status. */
export type ErrorResponses<Code extends ErrorCode> = {
  readonly [Status in StatusOf<Code>]: z.ZodType<ErrorBodyOf<Code & CodeOf<Status>>, ErrorBodyOf<Code & CodeOf<Status>>>;
};

const pascal = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Names of bodies that have several codes and that several operations share. A body with one code is named after the code. */
const sharedNames: Readonly<Record<string, string>> = {
  'permission_denied insufficient_balance subscription_inactive': 'CallDeniedErrorBody',
  'permission_denied insufficient_balance subscription_inactive storage_quota_exceeded': 'ResponseDeniedErrorBody',
  'rate_limit_exceeded concurrency_limit_exceeded': 'RequestLimitErrorBody',
  'rate_limit_exceeded token_limit_exceeded concurrency_limit_exceeded': 'CallLimitErrorBody',
  'overloaded no_upstream_available': 'NoCapacityErrorBody',
  'conflict config_changed': 'ReloadConflictErrorBody',
};

/** Each operation has its own set of 400 codes, so each has its own body. */
function nameOf(operation: string, status: ErrorStatus, codes: readonly ErrorCode[]): string {
  const [only = ''] = codes;
  if (codes.length === 1) return `${pascal(only.replace(/_error$/, ''))}ErrorBody`;
  const name = status === 400 ? `${pascal(operation)}BadRequestErrorBody` : sharedNames[codes.join(' ')];
  if (name === undefined) throw new Error(`The body with ${codes.join(', ')} has no name yet.`);
  return name;
}

const made = new Map<string, z.ZodType>();

function bodyOf(operation: string, status: ErrorStatus, codes: readonly ErrorCode[]): z.ZodType {
  const id = nameOf(operation, status, codes);
  const known = made.get(id);
  if (known) return known;
  const types = [...new Set(codes.map((code) => errorTable[code].type))];
  const detail = z.object({
    message: z.string().describe('A human-readable message with the problem and how to fix it. The wording may change.'),
    type: z.enum(types).describe('The general category of the error.'),
    param: z
      .string()
      .nullable()
      .describe('The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it.'),
    code: z.enum(codes).describe('The exact reason, for use in code. Each code has exactly one status and one type.'),
  });
  const which = codes.length === 1 ? `\`${codes[0]}\`` : `one of ${codes.length} codes`;
  const description = `The error with status ${status} and ${which}. All four fields are always present.`;
  const body = z.object({ error: detail.meta({ id: id.replace(/Body$/, 'Detail'), description }).describe('Details of the error.') });
  made.set(id, body.meta({ id, description: `The body of status ${status} with ${which}.` }));
  return made.get(id) ?? body;
}

/** The error responses of an operation, by status. */
export function errorResponses<const Codes extends readonly ErrorCode[]>(operation: string, codes: Codes): ErrorResponses<Codes[number]> {
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((one, other) => one - other);
  const byStatus = statuses.map((status) => {
    // In the order of the table, so that the same codes are the same body.
    const here = errorCodes.filter((code) => errorTable[code].status === status && codes.includes(code));
    return [status, bodyOf(operation, status, here)] as const;
  });
  // `as`: the line above selects the codes by status; the compiler does not see that.
  return Object.fromEntries(byStatus) as unknown as ErrorResponses<Codes[number]>;
}
