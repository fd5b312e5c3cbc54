/** Asserts the status, schema, error body, and token totals of a response. */

import type { z } from 'zod';
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { type Fields, isFields } from '../../server/primitives/fields.ts';
import type { HttpResponse } from './target.ts';
import { Violation } from './violation.ts';

/** Field names of input and output tokens in chat, and in responses and images. */
const tokenFields = [
  ['prompt_tokens', 'completion_tokens'],
  ['input_tokens', 'output_tokens'],
] as const;

/** Returns a sentence for each token total that is wrong. */
function findUsageFaults(value: unknown, subject: string): string[] {
  if (!isFields(value)) return [];
  return [value, value.response].flatMap((part) => (isFields(part) && isFields(part.usage) ? findTotalFaults(part.usage, subject) : []));
}

const findTotalFaults = (usage: Fields, subject: string): string[] =>
  tokenFields.flatMap(([input, output]) => {
    const [inputTokens, outputTokens, total] = [usage[input], usage[output], usage.total_tokens];
    if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number' || total === inputTokens + outputTokens) return [];
    return [`total_tokens of ${subject} is ${String(total)}, not ${inputTokens} + ${outputTokens}`];
  });

function assertJson({ headers }: HttpResponse): void {
  const type = headers.get('content-type') ?? 'nothing';
  assert(/^application\/json\b/.test(type), `the content type is ${type}, not application/json`);
}

/** Asserts status 200 and returns the body, parsed by its schema. */
export function parseOkBody<S extends z.ZodType>(response: HttpResponse, schema: S): z.infer<S> {
  const isOk = response.status === 200;
  const [, , body] = assertAll<unknown>([
    () => assert(isOk, `the status is ${response.status}, not 200: ${getBodyStart(response)}`),
    () => assertJson(response),
    // With another status, the body has another schema.
    () => (isOk ? parseWithSchema(schema, response.json(), 'the response') : undefined),
  ]);
  // `as`: all three passed, so this is the result of the schema.
  return body as z.infer<S>;
}

/** Returns the value, parsed by its schema. Its token totals must be correct, too. */
export function parseWithSchema<S extends z.ZodType>(schema: S, value: unknown, subject: string): z.infer<S> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  if (issues.length > 0)
    throw new Violation(...issues.map(({ path, message }) => `${subject} doesn't match the contract at '${path.join('.')}': ${message}`));
  const faults = findUsageFaults(value, subject);
  if (faults.length > 0) throw new Violation(...faults);
  // `as`: response schemas have no defaults or transforms, so the value already has the parsed type.
  return value as z.infer<S>;
}

/** Asserts an error with the status and type of its code, and exactly the four fields. */
export function assertError(response: HttpResponse, code: ErrorCode, param?: string): void {
  const { status, type } = errorTable[code];
  assertAll([
    () => assert(response.status === status, `the status is ${response.status}, not ${status}: ${getBodyStart(response)}`),
    () => assertJson(response),
    () => {
      const { error } = parseWithSchema(ErrorBody, response.json(), 'the error body');
      assertAll([
        () => assert(error.code === code, `the code is ${error.code}, not ${code}`),
        () => assert(error.type === type, `the type is ${error.type}, not ${type}`),
        () => assert(param === undefined || error.param === param, `param is ${String(error.param)}, not ${param}`),
      ]);
    },
  ]);
}

/** Returns the message of an error, or the start of any other body, which is enough to recognize it. */
const getBodyStart = ({ text }: HttpResponse): string =>
  /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.slice(0, 120).replace(/\s+/g, ' ');

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Violation(message);
}

/** An assertion, or a step before it. */
type Assertion<T> = () => T;

/** Runs all assertions and returns their results in order. Throws all violations as one. Other errors pass through. */
export function assertAll<T>(assertions: readonly Assertion<T>[]): readonly T[] {
  const messages: string[] = [];
  const results = assertions.flatMap((each) => {
    try {
      return [each()];
    } catch (thrown) {
      if (!(thrown instanceof Violation)) throw thrown;
      messages.push(...thrown.mismatches);
      return [];
    }
  });
  if (messages.length > 0) throw new Violation(...messages);
  return results;
}
