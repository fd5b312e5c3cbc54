/** Creates the errors of the admin API. */

import type { AnyAdminCode } from '../../../contract/admin/errors.ts';
import { formatRetryHint, GatewayError } from '../../primitives/errors.ts';

export function createInvalidValueError(param: string, message: string): GatewayError {
  return new GatewayError<AnyAdminCode>('invalid_value', { param, message });
}

export function createNotFoundError(param: string, message: string): GatewayError {
  return new GatewayError<AnyAdminCode>('not_found', { param, message });
}
/** The error for a cursor to an entry that doesn't exist. */
export const createEntryNotFoundError = (): GatewayError =>
  createInvalidValueError('after', "'after' must be the ID of an entry in this list.");
/** `param`: the field whose value conflicts. */
export const createConflictError = (message: string, param?: string): GatewayError =>
  new GatewayError<AnyAdminCode>('conflict', { message, ...(param !== undefined && { param }) });

export function createTooSoonError(subject: string, waitMs: number): GatewayError {
  const seconds = Math.ceil(waitMs / 1_000);
  const message = `${subject} was tested less than 5 seconds ago. ${formatRetryHint(seconds)}`;
  return new GatewayError<AnyAdminCode>('conflict', { message, headers: { 'retry-after': String(seconds) } });
}
