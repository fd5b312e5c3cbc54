/** Schemas of error bodies: one for all errors, and one per operation and status with exactly the codes that can occur. */
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
 * The body of every response that isn't 2xx, and of errors inside a stream. All four fields are always present.
 * `param` is the path of the field that caused the error (`messages[2].content[0].image_url`). Null if no field caused it.
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

/** The body of an error with one of the given codes. */
export interface ErrorBodyOf<Code extends ErrorCode> {
  error: { message: string; type: TypeOf<Code>; param: string | null; code: Code };
}
/** Schemas of the error bodies, by status. */
export type ErrorResponses<Code extends ErrorCode> = {
  readonly [Status in StatusOf<Code>]: z.ZodType<ErrorBodyOf<Code & CodeOf<Status>>, ErrorBodyOf<Code & CodeOf<Status>>>;
};

const toPascalCase = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Names of bodies with several codes that several operations share. A body with one code is named after the code. */
const sharedNames: Readonly<Record<string, string>> = {
  'permission_denied insufficient_balance subscription_inactive': 'CallDeniedErrorBody',
  'permission_denied insufficient_balance subscription_inactive storage_quota_exceeded': 'ResponseDeniedErrorBody',
  'rate_limit_exceeded concurrency_limit_exceeded': 'RequestLimitErrorBody',
  'rate_limit_exceeded token_limit_exceeded concurrency_limit_exceeded': 'CallLimitErrorBody',
  'upstream_unavailable overloaded no_upstream_available': 'NoCapacityErrorBody',
  'conflict config_changed': 'ReloadConflictErrorBody',
};

/** Each operation has its own set of 400 codes, so each has its own body. */
function getBodyName(operation: string, status: ErrorStatus, codes: readonly ErrorCode[]): string {
  const [onlyCode = ''] = codes;
  if (codes.length === 1) return `${toPascalCase(onlyCode.replace(/_error$/, ''))}ErrorBody`;
  const name = status === 400 ? `${toPascalCase(operation)}BadRequestErrorBody` : sharedNames[codes.join(' ')];
  if (name === undefined) throw new Error(`The body with ${codes.join(', ')} has no name yet.`);
  return name;
}

const schemasById = new Map<string, z.ZodType>();

function createBodySchema(operation: string, status: ErrorStatus, codes: readonly ErrorCode[]): z.ZodType {
  const id = getBodyName(operation, status, codes);
  const cachedSchema = schemasById.get(id);
  if (cachedSchema) return cachedSchema;
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
  const codeText = codes.length === 1 ? `\`${codes[0]}\`` : `one of ${codes.length} codes`;
  const description = `The error with status ${status} and ${codeText}. All four fields are always present.`;
  const body = z.object({ error: detail.meta({ id: id.replace(/Body$/, 'Detail'), description }).describe('Details of the error.') });
  schemasById.set(id, body.meta({ id, description: `The body of status ${status} with ${codeText}.` }));
  return schemasById.get(id) ?? body;
}

/** Returns the schemas of an operation's error responses, by status. */
export function createErrorResponses<const Codes extends readonly ErrorCode[]>(
  operation: string,
  codes: Codes,
): ErrorResponses<Codes[number]> {
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((one, other) => one - other);
  const byStatus = statuses.map((status) => {
    // Uses the order of the table, so that equal sets of codes share one body.
    const matchingCodes = errorCodes.filter((code) => errorTable[code].status === status && codes.includes(code));
    return [status, createBodySchema(operation, status, matchingCodes)] as const;
  });
  // `as`: the compiler can't see that the codes are grouped by status above.
  return Object.fromEntries(byStatus) as unknown as ErrorResponses<Codes[number]>;
}
