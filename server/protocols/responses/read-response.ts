/** Reads a complete response as events, like the terminal event of a stream, which contains all of it. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import { readFailure } from '../errors.ts';
import { readResponseStream } from './read-stream.ts';

const endStatuses = new Set(['completed', 'incomplete']);

export function readWholeResponse(response: Fields): CanonicalEvent[] {
  if (isFields(response.error)) throw readFailure(response.error);
  if (!Array.isArray(response.output))
    throw new GatewayError<CallCode>('upstream_error', { message: "The upstream returned a response without 'output'." });
  const status = typeof response.status === 'string' ? response.status : 'completed';
  if (!endStatuses.has(status))
    throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream returned an incomplete response.' });
  return readResponseStream().read({ type: `response.${status}`, response }, null);
}
