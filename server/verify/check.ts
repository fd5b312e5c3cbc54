/** One thing that a deployment must do, and how it turned out; the words in which checks complain. */
import type { z } from 'zod';
import { ErrorBody, type ErrorCode, errorTable } from '../../contract/errors.ts';
import type { Answer, Caller } from './caller.ts';
import { demand, demandAll, Violation } from './violation.ts';

export type Group = 'operations' | 'streams' | 'errors' | 'limits' | 'tools' | 'state';

/** What can be held to the contract alone, by the start of its address. */
export const areas = ['models', 'chat', 'responses', 'images', 'usage', 'catalog'] as const;
export type Area = (typeof areas)[number];

export const areaOf = (path: string): Area | null => areas.find((area) => path.replace('/..', '').startsWith(`/${area}`)) ?? null;

export interface Check {
  readonly group: Group;
  /** All that it calls; null where that is no operation. */
  readonly area: Area | null;
  /** What the deployment does where it is right. */
  readonly name: string;
  readonly run: (caller: Caller) => Promise<void>;
}

export interface Outcome {
  readonly group: Group;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** What is wrong, or why it was left out; empty where it passed. */
  readonly detail: string;
  /** Each thing that is wrong, by itself. */
  readonly mismatches: readonly string[];
  /** In milliseconds. */
  readonly ms: number;
}

function demandJson({ headers }: Answer): void {
  const type = headers.get('content-type') ?? 'nothing';
  demand(/^application\/json\b/.test(type), `the content type is ${type}, not application/json`);
}

/** The body of a 200, as the contract has it. */
export function goodBody<S extends z.ZodType>(answer: Answer, schema: S): z.infer<S> {
  const isGood = answer.status === 200;
  const [, , body] = demandAll<unknown>([
    () => demand(isGood, `the status is ${answer.status}, not 200: ${beginningOf(answer)}`),
    () => demandJson(answer),
    // The body of another status is another one.
    () => (isGood ? fitting(schema, answer.json(), 'the answer') : undefined),
  ]);
  // All three have held: this is what the schema gave.
  return body as z.infer<S>;
}

export function fitting<S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S> {
  const { data, error } = schema.safeParse(value);
  if (error)
    throw new Violation(...error.issues.map(({ path, message }) => `${what} is not of the contract at '${path.join('.')}': ${message}`));
  // Without an issue there is data.
  return data as z.infer<S>;
}

/** A refusal with the status and the type of its code, and nothing but the four fields. */
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

/** Enough to see what it is. */
const beginningOf = ({ text }: Answer): string => text.slice(0, 120).replace(/\s+/g, ' ');
