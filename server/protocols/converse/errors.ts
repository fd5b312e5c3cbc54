/** Maps an error of Converse to an error of the contract. */

import type { GatewayError } from '../../primitives/errors.ts';
import type { Unchecked } from '../../primitives/fields.ts';
import { readInnerFailure as readEventFailure } from '../anthropic/errors.ts';
import { findErrorKind, getErrorStatus, readErrorBody } from '../errors.ts';
import { toProviderError } from '../non-openai/errors.ts';
import { parseWaitSeconds } from '../retry-after.ts';
import { toText } from './response.ts';
import type { ConverseException } from './wire.ts';

/** Reads a response with a status other than 2xx. `kind` is AWS's exception name, from a header. */
export function readConverseFailure(status: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const error = readErrorBody(body);
  const type = findErrorKind(error, kind);
  const { message }: Unchecked<ConverseException> = error;
  return toProviderError({
    type,
    message: toText(message),
    status: getErrorStatus(type, status),
    waitSeconds: parseWaitSeconds(retryAfter),
  });
}

/** Reads an exception inside a stream. The framing reports exceptions of all models in one format. */
export const readInnerFailure = readEventFailure;
