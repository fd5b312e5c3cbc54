/** A failed call as a value, so that the page can show its field, message, and request ID. */

/** Codes of failures without a response from the gateway. */
export type LocalCode = 'unreachable' | 'unreadable_answer';

export interface FailureFields<Code extends string> {
  /** HTTP status. 0 without a response. */
  readonly status: number;
  readonly code: Code | LocalCode;
  readonly message: string;
  /** Path of the invalid field, such as `spending_caps[0].amount`. Null if no field caused the failure. */
  readonly param: string | null;
  /** Header `x-request-id`. Null without a response. */
  readonly requestId: string | null;
  /** Seconds to wait, from the header `retry-after`. Null without one. */
  readonly retryAfterSeconds: number | null;
  /** The complete body, for fields other than message and code. Undefined without a response. */
  readonly body?: unknown;
}

/** An error, because TanStack Query expects failures to be thrown. */
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

/** Whether the same call may succeed soon: there was no response, or a server error. */
export const isWorthRetrying = ({ status, code }: Failure): boolean => code === 'unreachable' || status >= 500;
