/** Turns error responses and error events into the matching error class. */
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  type FailureDetails,
  type ModelgateError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RequestTooLargeError,
  ServerError,
} from './errors.ts';
import { type Fields, parseJson, toFields, toText, truncateText } from './fields.ts';

const byStatus: Readonly<Record<number, typeof ModelgateError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: RequestTooLargeError,
  429: RateLimitError,
};

/** Errors inside a stream have no status, so their type determines the class. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  image_generation_user_error: 400,
  authentication_error: 401,
  permission_error: 403,
  rate_limit_error: 429,
};

const getErrorClass = (status: number) => byStatus[status] ?? (status >= 400 && status < 500 ? BadRequestError : ServerError);

const toDetails = (fields: Fields | undefined): FailureDetails => ({
  type: toText(fields?.type),
  code: toText(fields?.code),
  param: toText(fields?.param),
});

/** Returns the error for a response that isn't 2xx. If a proxy responded, the message has the start of the body. */
export async function readFailure(response: Response): Promise<ModelgateError> {
  const { status, headers } = response;
  const body = await response.text().catch(() => '');
  const error = toFields(parseJson(body))?.error;
  const fields = toFields(error);
  const message =
    toText(fields?.message) ?? toText(error) ?? `HTTP status ${status} ${body ? `with: ${truncateText(body)}` : 'without a body'}`;
  return new (getErrorClass(status))(message, { ...toDetails(fields), status, headers });
}

/** Returns the error of a stream event, nested (`{"error":{…}}`) or flat (`{"type":"error",…}`). Undefined for all other events. */
export function readEventFailure(event: Fields, headers: Headers): ModelgateError | undefined {
  if (!event.error && event.type !== 'error') return undefined;
  const fields = toFields(event.error) ?? { ...event, type: undefined };
  const { type, code, param } = toDetails(fields);
  const message = toText(fields.message) ?? toText(event.error) ?? 'The stream failed.';
  // Only a WebSocket has these, because its errors have no response.
  const status = typeof event.status === 'number' ? event.status : undefined;
  // `as`: the gateway writes headers as texts.
  const own = event.headers ? new Headers(event.headers as Record<string, string>) : headers;
  return new (getErrorClass(status ?? statusOfType[type ?? ''] ?? 500))(message, { type, code, param, status, headers: own });
}
