/** Writes the error frames of a WebSocket connection. Codex ignores a frame without `status`, and waits for minutes. */

import type { IncomingMessage } from 'node:http';
import { type WebSocketErrorCode, type WebSocketErrorFrame, webSocketErrors } from '../../../contract/responses/websocket.ts';
import { type CreateResponseCode, GatewayError, toGatewayError } from '../../primitives/errors.ts';
import { isFields } from '../../primitives/fields.ts';
import { toRetryHeaders } from '../http/errors.ts';

/** An error that exists only on WebSocket connections. */
export class WebSocketError extends Error {
  readonly code: WebSocketErrorCode;
  readonly param: string | null;

  constructor(code: WebSocketErrorCode, param: string | null = null) {
    super(webSocketErrors[code]);
    this.code = code;
    this.param = param;
  }

  get body(): WebSocketErrorFrame['error'] {
    const { code, message, param } = this;
    return { type: 'invalid_request_error', code, message, param };
  }
}

/** Accepts any thrown value. */
export function toErrorFrame(thrown: unknown): WebSocketErrorFrame {
  if (thrown instanceof WebSocketError) return writeFrame(400, thrown.body, {});
  const error = toGatewayError(thrown);
  return writeFrame(error.status, error.body.error, { ...toRetryHeaders(error), ...error.headers });
}

const MAX_ERROR_BYTES = 64 * 1024;

/** Reads the error response of a turn. */
export async function readErrorFrame(response: IncomingMessage): Promise<WebSocketErrorFrame> {
  let text = '';
  for await (const chunk of response) if (text.length < MAX_ERROR_BYTES) text += String(chunk);
  const body: unknown = JSON.parse(text);
  // The gateway writes every error in this form.
  if (!isFields(body) || !isFields(body.error))
    throw new GatewayError<CreateResponseCode>('internal_error', { cause: new Error('an error has no body') });
  return writeFrame(response.statusCode ?? 500, body.error as unknown as WebSocketErrorFrame['error'], pickHeaders(response));
}

const pickHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    ['retry-after', 'retry-after-ms', 'x-request-id'].flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );

/** SDKs read the headers inside `error`, Codex beside it. */
function writeFrame(status: number, error: WebSocketErrorFrame['error'], headers: Readonly<Record<string, string>>): WebSocketErrorFrame {
  if (Object.keys(headers).length === 0) return { type: 'error', status, error };
  return { type: 'error', status, error: { ...error, headers }, headers };
}
