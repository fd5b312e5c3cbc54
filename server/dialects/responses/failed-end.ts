/** The failed end of a responses stream: an `error` event, flat and nested, then `response.failed`; every client reads one of these forms. */
import type { Fields } from '../../../contract/rule.ts';
import type { GatewayError } from '../../errors.ts';
import { DONE, eventFrame } from '../wire/frames.ts';
import { failedAs } from './failure-code.ts';
import type { EventOfType, ResponseObject, Telling } from './wire.ts';

interface FailedEnd {
  readonly error: Telling<'error'>;
  readonly failed: { readonly code: string; readonly message: string };
}

/** The fields of `error`, and the error inside the failed response. */
export function failedEnd(error: GatewayError): FailedEnd {
  const { message, code, type, param } = error.body.error;
  return {
    error: { code, message, param, error: { type, code, message, param } },
    failed: failedAs(error),
  };
}

export interface Broken {
  /** The last response object in the stream; without an id the stream never opened, and no response can fail. */
  readonly response: Fields;
  /** The number of the next event. */
  readonly sequence: number;
}

/** The upstream's response, with our status and error. */
type FailedOfOthers = Omit<EventOfType<'response.failed'>, 'response'> & {
  readonly response: Fields & Pick<ResponseObject, 'status' | 'error'>;
};

/** The last frames of a relayed stream that failed. */
export function writeFailedEnd(failure: GatewayError, { response, sequence }: Broken): Buffer {
  const { error, failed } = failedEnd(failure);
  const flat = eventFrame<EventOfType<'error'>>('error', { type: 'error', sequence_number: sequence, ...error });
  if (typeof response.id !== 'string') return Buffer.concat([flat, DONE]);
  const last: FailedOfOthers = {
    type: 'response.failed',
    sequence_number: sequence + 1,
    response: { ...response, status: 'failed', error: failed },
  };
  return Buffer.concat([flat, eventFrame<FailedOfOthers>('response.failed', last), DONE]);
}
