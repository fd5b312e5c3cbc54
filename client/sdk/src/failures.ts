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
import { asFields, excerpt, type Fields, parseJson, text } from './fields.ts';

const byStatus: Readonly<Record<number, typeof ModelgateError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: RequestTooLargeError,
  429: RateLimitError,
};

/** An error inside a stream has no status: its type determines the class. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  image_generation_user_error: 400,
  authentication_error: 401,
  permission_error: 403,
  rate_limit_error: 429,
};

const classOf = (status: number) => byStatus[status] ?? (status >= 400 && status < 500 ? BadRequestError : ServerError);

const detailsOf = (fields: Fields | undefined): FailureDetails => ({
  type: text(fields?.type),
  code: text(fields?.code),
  param: text(fields?.param),
});

/** The error for a response that isn't 2xx; for the response of a proxy, it shows the start of the body. */
export async function readFailure(response: Response): Promise<ModelgateError> {
  const { status, headers } = response;
  const body = await response.text().catch(() => '');
  const error = asFields(parseJson(body))?.error;
  const fields = asFields(error);
  const message = text(fields?.message) ?? text(error) ?? `HTTP status ${status} ${body ? `with: ${excerpt(body)}` : 'without a body'}`;
  return new (classOf(status))(message, { ...detailsOf(fields), status, headers });
}

/** The error for a stream event, nested (`{"error":{…}}`) or flat (`{"type":"error",…}`); undefined for every other event. */
export function readEventFailure(event: Fields, headers: Headers): ModelgateError | undefined {
  if (!event.error && event.type !== 'error') return undefined;
  const fields = asFields(event.error) ?? { ...event, type: undefined };
  const { type, code, param } = detailsOf(fields);
  const message = text(fields.message) ?? text(event.error) ?? 'The stream failed.';
  return new (classOf(statusOfType[type ?? ''] ?? 500))(message, { type, code, param, headers });
}
