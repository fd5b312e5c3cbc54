/** Checks an error answer: the contract's envelope, the status of its code, a request id. */
import { expect } from 'vitest';
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import type { RawAnswer } from './raw.ts';

export interface Refusal {
  readonly code: ErrorCode;
  readonly param?: string | null;
  /** A part of the message, such as the field or the remedy. */
  readonly says?: string | RegExp;
}

/** Checks an error answer and returns its body. */
export async function expectRefusal(answer: Response | RawAnswer, { code, param = null, says = '' }: Refusal): Promise<ErrorBody> {
  const text = typeof answer.body === 'string' ? answer.body : await (answer as Response).text();
  const { status, type } = errorTable[code];
  expect({ status: answer.status, start: text.slice(0, 200) }).toMatchObject({ status, start: expect.stringMatching(/^\{"error":\{/) });
  expect(headerOf(answer, 'content-type')).toBe('application/json; charset=utf-8');
  expect(headerOf(answer, 'x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  const body = ErrorBody.parse(JSON.parse(text));
  expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(body.error).toMatchObject({ code, type, param });
  if (typeof says === 'string') expect(body.error.message).toContain(says);
  else expect(body.error.message).toMatch(says);
  expect(body.error.message).toMatch(/^[^\n]{1,1000}$/);
  return body;
}

export function headerOf(answer: Response | RawAnswer, name: string): string | null {
  return answer.headers instanceof Headers ? answer.headers.get(name) : ((answer as RawAnswer).headers[name] ?? null);
}
