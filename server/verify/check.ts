/** One check of a deployment, and its outcome; the assertions that checks use. */
import type { z } from 'zod';
import { ErrorBody, type ErrorCode, errorTable } from '../../contract/errors.ts';
import type { Answer, Caller } from './caller.ts';
import { usageFaults } from './usage-sums.ts';
import { demand, demandAll, Violation } from './violation.ts';

export type Group = 'operations' | 'streams' | 'errors' | 'limits' | 'tools' | 'state';

/** What can be held to the contract alone, by the start of its address. */
export const areas = ['models', 'chat', 'responses', 'images', 'usage', 'catalog'] as const;
export type Area = (typeof areas)[number];

/** What the holder of a key reads of his account belongs to usage, wherever it lies. */
const OWN = /^\/(?:account|key)\b/;
export const areaOf = (path: string): Area | null =>
  OWN.test(path) ? 'usage' : (areas.find((area) => path.replace('/..', '').startsWith(`/${area}`)) ?? null);

export interface Check {
  readonly group: Group;
  /** The areas that it calls; null when it calls no operation. */
  readonly area: Area | null;
  /** What a correct deployment does. */
  readonly name: string;
  readonly run: (caller: Caller) => Promise<void>;
}

export interface Outcome {
  readonly group: Group;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** What is wrong, or why it was left out; empty when it passed. */
  readonly detail: string;
  /** Each mismatch, separately. */
  readonly mismatches: readonly string[];
  /** In milliseconds. */
  readonly ms: number;
}

function demandJson({ headers }: Answer): void {
  const type = headers.get('content-type') ?? 'nothing';
  demand(/^application\/json\b/.test(type), `the content type is ${type}, not application/json`);
}

/** The body of a 200, parsed by its schema. */
export function goodBody<S extends z.ZodType>(answer: Answer, schema: S): z.infer<S> {
  const isGood = answer.status === 200;
  const [, , body] = demandAll<unknown>([
    () => demand(isGood, `the status is ${answer.status}, not 200: ${beginningOf(answer)}`),
    () => demandJson(answer),
    // The body of another status is another one.
    () => (isGood ? fitting(schema, answer.json(), 'the answer') : undefined),
  ]);
  // `as`: all three passed, so this is the result of the schema.
  return body as z.infer<S>;
}

/** The value, parsed by its schema; its tokens must add up, too. */
export function fitting<S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S> {
  const { data, error } = schema.safeParse(value);
  if (error)
    throw new Violation(
      ...error.issues.map(({ path, message }) => `${what} does not match the contract at '${path.join('.')}': ${message}`),
    );
  const faults = usageFaults(data, what);
  if (faults.length > 0) throw new Violation(...faults);
  // Without an issue there is data.
  return data as z.infer<S>;
}

/** An error with the status and the type of its code, and exactly the four fields. */
export function demandRefusal(answer: Answer, code: ErrorCode, param?: string): void {
  const { status, type } = errorTable[code];
  demandAll([
    () => demand(answer.status === status, `the status is ${answer.status}, not ${status}: ${beginningOf(answer)}`),
    () => demandJson(answer),
    () => {
      const { error } = fitting(ErrorBody, answer.json(), 'the error body');
      demandAll([
        () => demand(error.code === code, `the code is ${error.code}, not ${code}`),
        () => demand(error.type === type, `the type is ${error.type}, not ${type}`),
        () => demand(param === undefined || error.param === param, `param is ${String(error.param)}, not ${param}`),
      ]);
    },
  ]);
}

/** Enough to recognise it. */
const beginningOf = ({ text }: Answer): string => text.slice(0, 120).replace(/\s+/g, ' ');
