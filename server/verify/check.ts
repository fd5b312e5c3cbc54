/** One thing that a deployment must do, and how it turned out; the words in which checks complain. */
import type { z } from 'zod';
import { ErrorBody, type ErrorCode, errorTable } from '../../contract/errors.ts';
import type { Answer, Caller } from './caller.ts';
import { demand, Violation } from './violation.ts';

export type Group = 'operations' | 'streams' | 'errors' | 'limits' | 'tools' | 'state';

export interface Check {
  readonly group: Group;
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
  /** In milliseconds. */
  readonly ms: number;
}

const REQUEST_ID = /^\S{1,200}$/;

function demandHead({ headers }: Answer): void {
  const type = headers.get('content-type') ?? 'nothing';
  demand(/^application\/json\b/.test(type), `the content type is ${type}, not application/json`);
  demand(REQUEST_ID.test(headers.get('x-request-id') ?? ''), 'the answer has no x-request-id');
}

/** The body of a 200, as the contract has it. */
export function goodBody<S extends z.ZodType>(answer: Answer, schema: S): z.infer<S> {
  demand(answer.status === 200, `the status is ${answer.status}, not 200: ${beginningOf(answer)}`);
  demandHead(answer);
  return fitting(schema, answer.json(), 'the answer');
}

export function fitting<S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S> {
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue) throw new Violation(`${what} is not of the contract at '${issue.path.join('.')}': ${issue.message}`);
  // Without an issue there is data.
  return data as z.infer<S>;
}

/** A refusal with the status and the type of its code, and nothing but the four fields. */
export function demandRefusal(answer: Answer, code: ErrorCode, param?: string): void {
  const { status, type } = errorTable[code];
  demand(answer.status === status, `the status is ${answer.status}, not ${status}: ${beginningOf(answer)}`);
  demandHead(answer);
  const { error } = fitting(ErrorBody, answer.json(), 'the error body');
  demand(error.code === code, `the code is ${error.code}, not ${code}`);
  demand(error.type === type, `the type is ${error.type}, not ${type}`);
  if (param !== undefined) demand(error.param === param, `param is ${String(error.param)}, not ${param}`);
}

/** Enough to see what it is. */
const beginningOf = ({ text }: Answer): string => text.slice(0, 120).replace(/\s+/g, ' ');
