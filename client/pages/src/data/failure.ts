/** A call that did not succeed, as a value: what the answer said, for the field, the message and the request id on the page. */

/** Codes of failures that are no answer of the gateway. */
export type LocalCode = 'unreachable' | 'unreadable_answer';

export interface FailureFields<Code extends string> {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: Code | LocalCode;
  readonly message: string;
  /** Path of the field that caused it, such as `spending_caps[0].amount`; null when no field did. */
  readonly param: string | null;
  /** Header `x-request-id`; null when there was no answer. */
  readonly requestId: string | null;
  /** Seconds to wait, of the header `retry-after`; null when it is absent. */
  readonly retryAfterSeconds: number | null;
  /** The whole answer, for what an operation says beyond message and code; absent when there was none. */
  readonly body?: unknown;
}

/** TanStack Query passes failures on by throwing them, so this one is an error too. */
export class Failure<Code extends string = string> extends Error implements FailureFields<Code> {
  override readonly name = 'Failure';
  readonly status: number;
  readonly code: Code | LocalCode;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly body: unknown;

  constructor(fields: FailureFields<Code>) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.param = fields.param;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.body = fields.body;
  }
}

/** Whether the same call may succeed a moment later: no answer, or an error of the server's side. */
export const isWorthRetrying = ({ status, code }: Failure): boolean => code === 'unreachable' || status >= 500;
