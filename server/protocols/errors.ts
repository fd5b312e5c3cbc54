/** Maps an upstream's error to an error of the contract, with our codes. The upstream's body is never forwarded. */
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { type CallCode, type ErrorDetails, GatewayError } from '../primitives/errors.ts';
import { type Fields, isFields } from '../primitives/fields.ts';
import { ProviderError } from '../primitives/provider-error.ts';
import { createRateLimitMessage, createRetryAfterHeaders, parseWaitSeconds, RATE_LIMITED } from './retry-after.ts';

const truncateText = (value: unknown, limit: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, limit) : undefined;

/** Codes for an upstream without capacity. The caller can retry. */
const capacityCodes = new Set([
  'server_is_overloaded',
  'overloaded',
  'overloaded_error',
  'slow_down',
  'engine_overloaded',
  'upstream_unavailable',
]);
/** Codes about the gateway's own key or credit. Callers never see them. */
const gatewayAccountCodes = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'usage_not_included',
]);

/** Codes about the upstream model name, which the operator configured. Some providers send them with status 400. */
const modelNameCodes = new Set(['model_not_found', 'invalid_model', 'unknown_model', 'model_not_supported', 'model_not_available']);
/** Provider codes and types for an input that exceeds the context window. */
const contextLengthCodes = new Set(['too_many_prompt_tokens', 'context_length_exceeded', 'prompt_too_long', 'context_window_exceeded']);

const isBadRequestCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(errorTable, code) && errorTable[code as ErrorCode].status === 400;

/** Details for operators: the code and type, and the message with keys redacted. */
function createProviderError(status: string, { code: rawCode, type: rawType, message }: Fields, type: unknown = rawType): ProviderError {
  const [code, kind, text] = [truncateText(rawCode, 64), truncateText(type, 64), truncateText(message, 1000)];
  return new ProviderError(`upstream error ${status}, code ${code ?? 'none'}, type ${kind ?? 'none'}`, {
    code: code ?? kind ?? null,
    message: text === undefined ? null : redactSecrets(text),
  });
}

/** Reads an error object inside a response or stream that started with status 200. Some providers put the intended status into the object. */
export function readFailure(error: unknown): GatewayError {
  const fields = isFields(error) ? error : {};
  const status = [fields.code, fields.status_code, fields.status].map(Number).find((one) => one >= 400 && one <= 599);
  if (status !== undefined) return readFailureStatus(status, JSON.stringify({ error: withoutStatus(fields) }), undefined);
  const code = truncateText(fields.code, 64);
  if (hasContextLengthCode(fields))
    return new GatewayError<CallCode>('context_length_exceeded', getBadRequestDetails(fields, createProviderError('inside a 200', fields)));
  const cause = createProviderError('inside a 200', fields);
  const createFilterError = code === undefined ? undefined : contentFilterErrors.get(code);
  if (createFilterError) return createFilterError(cause);
  if (isBadRequestCode(code)) return new GatewayError(code, getBadRequestDetails(fields, cause));
  if (code === 'rate_limit_exceeded') return new GatewayError<CallCode>('rate_limit_exceeded', { message: RATE_LIMITED, cause });
  if (code !== undefined && capacityCodes.has(code)) return new GatewayError<CallCode>('upstream_unavailable', { cause });
  return new GatewayError<CallCode>('upstream_error', { cause });
}

const hasContextLengthCode = ({ code, type }: Fields): boolean =>
  [code, type].some((kind) => typeof kind === 'string' && contextLengthCodes.has(kind));

/** Drops a numeric `code`, which is a status, and keeps a `code` that is a word. */
function withoutStatus({ code, ...rest }: Fields): Fields {
  return Number.isNaN(Number(code)) ? { ...rest, code } : rest;
}

/** A caller mistake keeps the upstream's message and field: they describe the request, and only the upstream knows them. */
function getBadRequestDetails(error: Fields, cause: unknown): ErrorDetails {
  const message = truncateText(error.message, 1000);
  const param = truncateText(error.param, 256);
  return { cause, ...(message !== undefined && { message: redactSecrets(message) }), ...(param !== undefined && { param }) };
}

/** Creates the error for a content filter that rejected the prompt. Omits the provider's `param`, because it doesn't name a caller's field. */
const createModerationError = (cause: unknown): GatewayError => new GatewayError<CallCode>('moderation_blocked', { cause });
const contentFilterErrors: ReadonlyMap<string, (cause: unknown) => GatewayError> = new Map([
  [
    'content_filter',
    (cause) => new GatewayError<CallCode>('invalid_value', { message: "The upstream's content filter rejected the prompt.", cause }),
  ],
  ['contentFilter', createModerationError],
  ['content_policy_violation', createModerationError],
]);

/** Classifies a bad request by its code, or by its message if the provider sends no code. */
function createBadRequest(error: Fields, cause: unknown): GatewayError {
  const code = truncateText(error.code, 64);
  const message = truncateText(error.message, 1000) ?? '';
  const isGatewayFault = code !== undefined && (gatewayAccountCodes.has(code) || modelNameCodes.has(code));
  if (isGatewayFault || isGatewayAccountMessage(message) || isGatewayAccountMessage(findErrorKind(error) ?? ''))
    return createGatewayRejection(cause);
  const createFilterError = code === undefined ? undefined : contentFilterErrors.get(code);
  if (createFilterError) return createFilterError(cause);
  if (isBadRequestCode(code)) return new GatewayError(code, getBadRequestDetails(error, cause));
  return new GatewayError<CallCode>(
    isContextLengthMessage(message) || hasContextLengthCode(error) ? 'context_length_exceeded' : 'invalid_value',
    getBadRequestDetails(error, cause),
  );
}

/** Reads a response with a status other than 2xx. `body` is the start of its body, and `kind` the error name from its headers. */
export function readFailureStatus(providerStatus: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const error = readErrorBody(body);
  const status = getErrorStatus(findErrorKind(error, kind), providerStatus);
  const code = truncateText(error.code, 64);
  const cause = createProviderError(String(providerStatus), error, findErrorKind(error, kind));
  if (status === 400 || status === 422) return createBadRequest(error, cause);
  if (status === 413)
    return new GatewayError<CallCode>('request_too_large', { message: "The request is too large for this model's upstream.", cause });
  if (status === 408 || status === 504) return new GatewayError<CallCode>('upstream_timeout', { cause });
  const waitSeconds = parseWaitSeconds(retryAfter);
  const headers = createRetryAfterHeaders(waitSeconds);
  const isAccountCode = code !== undefined && gatewayAccountCodes.has(code);
  if (status === 429 && !isAccountCode) {
    return new GatewayError<CallCode>('rate_limit_exceeded', {
      message: createRateLimitMessage(waitSeconds),
      headers,
      cause,
    });
  }
  if (capacityStatuses.has(status)) return new GatewayError<CallCode>('upstream_unavailable', { headers, cause });
  if (isAccountCode || rejectionStatuses.has(status)) return createGatewayRejection(cause);
  return new GatewayError<CallCode>('upstream_error', { cause });
}

/** Errors about the gateway's own key, credit, permissions, or model name, which the operator configured. */
export const rejectionStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404]);

/** Doesn't say why, because the reason can be about the gateway's key or credit. The log has it. */
export const createGatewayRejection = (cause: unknown): GatewayError =>
  new GatewayError<CallCode>('upstream_error', {
    message: 'The upstream rejected the gateway, not your request. Your gateway administrator can find the reason in the log.',
    cause,
  });

/** 498 is one provider's status for a cheaper tier without capacity. */
const capacityStatuses = new Set([498, 503, 529]);

/** Extracts the error from a body. Returns an empty object if the body is HTML, empty, or not an error. */
export function readErrorBody(body: string): Fields {
  try {
    return readEnvelope(JSON.parse(body));
  } catch {
    // Without a readable body, only the status classifies the error.
    return {};
  }
}

/**
 * Reads `{error: {…}}`. Clouds also send a list of one, or a capitalized `Message`. Local servers send the error flat, as a string, or as a list of
 * faults with locations.
 */
export function readEnvelope(envelope: unknown): Fields {
  const value: unknown = Array.isArray(envelope) && envelope.length === 1 ? envelope[0] : envelope;
  if (!isFields(value) || Array.isArray(value)) return {};
  const { error, message = value.Message, detail } = value;
  if (isFields(error)) return error;
  if (typeof error === 'string') return { ...value, message: error };
  const nestedDetail = isFields(message) && !Array.isArray(message) ? message.detail : message;
  return { ...value, ...readDetail(detail ?? nestedDetail) };
}

function readDetail(detail: unknown): Fields {
  if (!Array.isArray(detail)) return { message: detail };
  const validationErrors = detail.filter(isFields);
  const [first] = validationErrors;
  const location = Array.isArray(first?.loc) ? first.loc.filter((part) => part !== 'body') : [];
  const param = location.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  const messages = validationErrors.flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : [])).join(' ');
  return { message: param === '' ? messages : `${param.slice(1)}: ${messages}`, param: param.slice(1) };
}

/** The provider's name for the error. `header` is AWS's header, `Name:http://…`. In bodies, the name can follow a namespace and `#`. */
export function findErrorKind({ type, __type, status }: Fields, header?: string): string | null {
  const rawKind = [header, type, __type, status].find((one): one is string => typeof one === 'string' && one !== '');
  return rawKind?.split(':')[0]?.split('#').at(-1) ?? null;
}

/** AWS error names that say more than their status: who caused the error, and whether a retry helps. */
const statusByKind = new Map([
  ...['UnrecognizedClientException', 'ExpiredTokenException', 'InvalidSignatureException', 'AccessDeniedException'].map(
    (kind) => [kind, 401] as const,
  ),
  ...['ThrottlingException', 'ServiceQuotaExceededException'].map((kind) => [kind, 429] as const),
  ...['ModelNotReadyException', 'ServiceUnavailableException'].map((kind) => [kind, 503] as const),
]);

/** The status that classifies the error. */
export const getErrorStatus = (kind: string | null, status: number): number => statusByKind.get(kind ?? '') ?? status;

/** Messages for an input that exceeds the context window, from providers that send no code. */
const contextLengthPattern =
  /prompt is too long|exceeds? (the )?(model'?s )?(context|maximum (number of tokens|context))|context (window|length)|input token count|too many (input |prompt )?tokens|input is too long for (the )?requested model|number of input tokens exceeds/i;

export const isContextLengthMessage = (message: string): boolean => contextLengthPattern.test(message);

/** True if the error says that the model needs OpenAI's other protocol. Such an error names the other protocol's path. */
export function isWrongProtocolError(status: number, body: string, operation: string): boolean {
  if (status !== 400 && status !== 404) return false;
  const { message } = readErrorBody(body);
  return typeof message === 'string' && (otherProtocolPath[operation]?.test(message) ?? false);
}

const otherProtocolPath: Readonly<Record<string, RegExp>> = {
  createChatCompletion: /\bv1\/responses\b/,
  createResponse: /\bv1\/chat\/completions\b/,
};

/** Messages about the gateway's own key, credit, or account, some with status 400. Callers never see them. */
const gatewayAccountPattern = new RegExp(
  [
    'credit balance|purchase credits|insufficient balance|billing[ _](hard|error|details|account|not)|(enable|your) billing',
    'failed_precondition|user location is not supported',
    'api[ _-]?key (is )?(not valid|invalid|expired|not found)|(organization|workspace|account) has been (disabled|suspended)',
    'reached your specified (api )?usage limits',
    // The gateway's config sets the upstream model name, address, and API version; the caller doesn't.
    'provided model identifier is invalid|on-demand throughput isn.t supported|isn.t supported on this route|does not support the ./',
    'api version not supported|operation does not work with the specified model|not allowed to use publisher model',
    'security token included|signature (we calculated|expired)|scoped to correct|model access is denied|use case details',
  ].join('|'),
  'i',
);

export const isGatewayAccountMessage = (text: string): boolean => gatewayAccountPattern.test(text);

/** Matches keys, because some providers quote them in their messages. */
const secretPattern = new RegExp(
  [
    '\\b(?:(?:mga?|sk|gsk|key|org|proj|xai)[-_]|AIza)[\\w*-]{6,}|\\b(?:Bearer|key) [\\w*.-]{12,}',
    // Keys of AWS, keys of Google, and three-part tokens.
    '\\b(?:ASIA|AKIA)[A-Z0-9]{16}\\b|\\bABSK[\\w+/=]{8,}|\\bya29\\.[\\w.-]+|\\beyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*',
  ].join('|'),
  'g',
);

export const redactSecrets = (message: string): string => message.replace(secretPattern, '…');
