/** Diagnosis, remedy, and searchable messages for each error code. The cause is the meaning in the contract. */
import type { ErrorCode } from '../../../contract/errors.ts';
import { type Advice, mistakes } from './mistakes.ts';

export const advice: Readonly<Record<ErrorCode, Advice>> = {
  ...mistakes,
  invalid_api_key: {
    check:
      '`curl -i $BASE_URL/models -H "Authorization: Bearer $MODELGATE_API_KEY"` with the base URL and the key of the failing program. An environment variable can override the key you want to use. The operator sees the reason with `modelgate explain --request <x-request-id>`.',
    remedy:
      "Send a key of this gateway, in one header, as `Authorization: Bearer mg-…`. A provider's key doesn't work here. A new key is shown only once, when it's created.",
    guide: ['authentication', 'Authenticate'],
    seen: [
      'Incorrect API key provided',
      '401 Unauthorized',
      'AuthenticationError',
      'invalid x-api-key',
      'No auth credentials found',
      'expired key',
      'revoked key',
      'rotate key',
    ],
  },
  permission_denied: {
    check: "`GET /v1/key` shows the key's permissions; `GET /v1/models` lists the models it can call.",
    remedy:
      'Ask the operator for the permission, the group, or access from your address. A browser must call from a page of the gateway itself.',
    seen: [
      '403 Forbidden',
      'PermissionDeniedError',
      'You are not allowed',
      'not allowed from this IP',
      'model not allowed for this key',
      "This key can't use this operation",
      "This key can't be used from this IP address",
    ],
  },
  insufficient_balance: {
    check: '`GET /v1/account` shows the balance, and the part that calls in flight hold. `GET /v1/key` shows the spending caps.',
    remedy:
      'Top up the account (`modelgate account top-up`), raise the spending cap of the key or the account, or request less output. The maximum possible cost is held before the call is sent.',
    guide: ['costs', 'Check costs'],
    seen: [
      'You exceeded your current quota',
      'insufficient_quota',
      '402 payment required',
      'credit balance is too low',
      'top-up',
      'out of credits',
      'no money left',
      'refund',
      "The key's spending cap of $20.00 per month is too low. This request can cost up to $1.20, but only $0.30 is available under it.",
      "The account's balance is too low",
    ],
  },
  subscription_inactive: {
    check: '`GET /v1/account` shows the subscription, its end, and the remaining amount.',
    remedy: 'Renew or resume the subscription. If the group allows payment from the balance, you can also top up the account.',
    seen: [
      'subscription expired',
      'plan ended',
      'billing hard limit',
      'included amount is used up',
      "The account's subscription doesn't cover this request",
    ],
  },
  storage_quota_exceeded: {
    check: 'The message shows the limit and the amount stored.',
    remedy: 'Send `store: false`, delete responses with `DELETE /v1/responses/{response_id}`, or wait until old ones expire.',
    seen: ['storage limit', 'quota of stored responses', 'history full', "This account's stored responses use … MiB"],
  },
  model_not_found: {
    check: '`curl $BASE_URL/models -H "Authorization: Bearer $MODELGATE_API_KEY"` lists the models that this key can call.',
    remedy: 'Use an ID from that list. IDs are those of this gateway; the provider might use another name for the same model.',
    seen: [
      'The model does not exist or you do not have access to it',
      'model not found',
      'NotFoundError',
      'unknown model',
      'no such model',
      'deployment does not exist',
      "Model '…' not found",
    ],
  },
  response_not_found: {
    check: 'Check whether the call had `store: false`, and whether the key belongs to the same account.',
    remedy: 'Responses are kept only for the retention time. If you need one for longer, store it yourself.',
    seen: ['Response with id not found', 'stored response missing', 'retention'],
  },
  not_found: {
    check: '`param` names the ID. The list operation for this kind of object shows all IDs.',
    remedy: 'Use an ID from that list, with a key of the same account.',
    seen: ['does not exist', '404 request id', 'no such key', 'no such account', "'…' not found"],
  },
  item_not_found: {
    check: 'An item is found only if its response was stored for this account.',
    remedy: 'Send the item itself in `input` instead of an `item_reference`.',
    seen: ['Item with id not found', 'item_reference', 'reasoning item without its following item', 'rs_ not found', "refers to item '…'"],
  },
  unknown_url: {
    check: "Print the client's base URL. It must end in `/v1`, and the client adds `/chat/completions`.",
    remedy:
      "Set the base URL to the gateway's address plus `/v1`: `http://127.0.0.1:8080/v1`. If the path belongs to an operation that this gateway doesn't have, the message names it.",
    guide: ['limitations', "What Modelgate doesn't do"],
    seen: [
      'missing /v1',
      '404 page not found',
      'Invalid URL',
      '/v1/v1',
      'Cannot POST /chat/completions',
      'wrong base url',
      'embeddings not supported',
      'base_url',
      'Not found. … Available endpoints:',
      '/v1/audio/transcriptions',
      '/v1/audio/speech',
      '/v1/embeddings',
      '/v1/messages',
    ],
  },
  method_not_allowed: {
    check: 'The header `allow` lists the methods of this URL.',
    remedy: 'Use POST for operations that call a model. A redirect from http to https turns POST into GET, so use the https URL directly.',
    seen: ['405 Method Not Allowed', 'Not allowed to GET on', 'redirect changed method', "… isn't supported at …. Use"],
  },
  request_timeout: {
    check: 'Measure how long the upload takes: `curl -w "%{time_pretransfer} %{time_starttransfer}"`.',
    remedy: 'Send the call again. On slow connections, compress the body (`content-encoding: gzip`), or make images smaller.',
    seen: ['408 Request Timeout', 'slow upload', 'socket hang up while sending', 'n8n timeout'],
  },
  idempotency_key_reused: {
    check: 'Which requests of your code send this `idempotency-key`. Only a repetition of the same request can.',
    remedy: 'Generate a new key for each request, for example a UUID, and keep it only for its repetitions.',
    seen: ['idempotency key reused', 'same idempotency-key with another body'],
  },
  idempotency_conflict: {
    check: 'Another call with the same `idempotency-key` header is still in flight.',
    remedy: 'Wait, then repeat the call with the same key and the same body. You get the response of the first call, and are charged once.',
    guide: ['idempotency', 'Retry without paying twice'],
    seen: ['409 Conflict', 'idempotency', 'request in progress with the same key', 'retry while running'],
  },
  conflict: {
    check: 'The message names the object that already exists.',
    remedy: 'Choose another name or ID, or change the existing object.',
    seen: ['already exists', 'name is taken', 'duplicate transfer', 'second subscription'],
  },
  config_changed: {
    check: '`modelgate config diff` shows the changes that the file would make now.',
    remedy: 'Check the file again, and reload with the new digest.',
    seen: ['digest does not match', 'reload rejected', 'configuration changed'],
  },
  request_too_large: {
    check: 'The message names the limit, and `param` says what exceeds it: the body, or the stored conversation.',
    remedy:
      'Send smaller or fewer images, or shorten the conversation. A proxy in front of the gateway can have a lower limit; then the error has another body.',
    seen: ['413 Payload Too Large', 'request entity too large', 'client_max_body_size', 'body limit', 'The request body exceeds … MiB'],
  },
  unsupported_media_type: {
    check: "Print the call's `content-type` header.",
    remedy:
      'Send `content-type: application/json`, for image edits also a form. For a form, let the SDK set this header, because it contains the boundary.',
    seen: [
      '415 Unsupported Media Type',
      'content-type',
      'Unsupported content type',
      'multipart',
      'application/x-www-form-urlencoded',
      "Content type '…' isn't supported",
    ],
  },
  upgrade_required: {
    check: 'The client opens a WebSocket, as realtime APIs do.',
    remedy: 'Send POST with `stream: true`. Events arrive over the same connection.',
    seen: ['426 Upgrade Required', 'websocket', 'realtime', 'wss://'],
  },
  headers_too_large: {
    check: "Print the call's headers. The most common cause is cookies or tokens that a proxy adds.",
    remedy: 'Send fewer or shorter headers. Metadata belongs in the body.',
    seen: ['431 Request Header Fields Too Large', 'header overflow', 'HPE_HEADER_OVERFLOW', 'cookie too large'],
  },
  rate_limit_exceeded: {
    check: "The response headers `retry-after` and `x-ratelimit-*` show the limit and the wait. `GET /v1/key` shows the key's limits.",
    remedy:
      'Wait as long as `retry-after` says; SDKs do this automatically, twice. Send fewer concurrent calls, or ask the operator for a higher limit. The rejected call costs nothing.',
    guide: ['rate-limits', 'Handle rate limits'],
    seen: [
      '429 Too Many Requests',
      'RateLimitError',
      'Rate limit reached for',
      'retry-after',
      'requests per minute',
      'rpm',
      '429',
      'Limit reached for this …: … requests per minute',
    ],
  },
  token_limit_exceeded: {
    check: "`x-ratelimit-remaining-tokens` shows the tokens left in this minute. A call's maximum output counts before the call is sent.",
    remedy: 'Wait for `retry-after`, set a lower `max_completion_tokens` or `max_output_tokens`, or send a shorter conversation.',
    guide: ['rate-limits', 'Handle rate limits'],
    seen: ['tokens per minute', 'TPM', 'Request too large for gpt', 'token rate limit', 'Limit reached for this …: … tokens per minute'],
  },
  concurrency_limit_exceeded: {
    check: 'Count the calls in flight with this key or account. An open stream is one of them.',
    remedy: "Wait for a call to end, close streams that aren't read, and send fewer concurrent calls.",
    guide: ['rate-limits', 'Handle rate limits'],
    seen: [
      'too many concurrent requests',
      'parallel requests',
      'max_parallel_requests',
      'concurrent connections',
      'Limit reached for this …: … concurrent requests',
    ],
  },
  internal_error: {
    check: 'The operator finds the log line by `x-request-id`, and `modelgate explain --request <id>` shows what happened.',
    remedy: 'Send the call again, and report the error with the request ID. The held amount is released.',
    seen: ['500 Internal Server Error', 'InternalServerError', 'The server had an error', 'database down', 'PostgreSQL not reachable'],
  },
  upstream_error: {
    check:
      "`GET /v1/usage/{request_id}` lists the attempts. The operator sees the provider's status and message in the log, and tests the provider with `modelgate upstream test`.",
    remedy: "Send the call again. If the error persists, the operator checks the upstream's key and address with `modelgate doctor`.",
    seen: [
      '502 Bad Gateway',
      'stream closed before response.completed',
      'stream disconnected before completion',
      'ECONNRESET',
      'terminated',
      'Premature close',
      'upstream connect error',
      'provider returned error',
      'The upstream aborted the response',
    ],
  },
  upstream_unavailable: {
    check:
      "The provider's status page. `GET /v1/usage/{request_id}` lists the attempts; the operator sees the provider's own words with `modelgate explain --request`.",
    remedy: 'Wait for `retry-after`, then send the call again. The operator can add a second candidate to the model.',
    seen: ['The server is overloaded', 'overloaded_error', '529', 'no capacity', 'Service Unavailable from provider', 'engine overloaded'],
  },
  overloaded: {
    check: '`retry-after` says how long to wait. The operator checks `/readyz` and the event loop and memory metrics.',
    remedy: 'Wait, then send the call again. The operator can add processes, or raise the memory for bodies.',
    seen: ['503 Service Unavailable', 'The gateway is overloaded', 'Redis down', 'memory pressure'],
  },
  no_upstream_available: {
    check:
      '`modelgate upstream list` shows which models and keys are cooling down, and for how long. The page of the upstream in the console shows its last failure.',
    remedy:
      'Wait for `retry-after`. The operator fixes the upstream and resets it with `modelgate upstream reset`, or adds a second candidate to the model.',
    seen: [
      'No deployments available',
      'all providers failed',
      'circuit breaker open',
      'no healthy upstream',
      'cooldown',
      'upstream cooling down',
      'No upstream for this model is available',
    ],
  },
  upstream_timeout: {
    check: '`GET /v1/usage/{request_id}` lists the attempts. Compare with a stream, whose first event arrives early.',
    remedy:
      "Request a stream, so that events arrive while the model works, or request less output. The operator can raise the upstream's timeouts.",
    seen: ['504 Gateway Timeout', 'Request timed out', 'APITimeoutError', 'Timeout', 'upstream timed out', 'ETIMEDOUT', 'headers timeout'],
  },
};
