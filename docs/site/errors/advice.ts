/** For each code: how to check what happened, what to do, and the words under which people know it. Their cause is the contract's meaning. */
import type { ErrorCode } from '../../../contract/errors.ts';
import { type Advice, mistakes } from './mistakes.ts';

export const advice: Readonly<Record<ErrorCode, Advice>> = {
  ...mistakes,
  invalid_api_key: {
    check:
      '`curl -i $BASE_URL/models -H "Authorization: Bearer $MODELGATE_API_KEY"` with the address and the key that the failing program has. Its operator sees the reason with `modelgate explain --request <x-request-id>`.',
    remedy:
      'Send the key of this gateway, in one header, as `Authorization: Bearer mg-…`. A key of the vendor does not work here. A new key is shown once, when it is made.',
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
    check: '`GET /v1/key` tells what the key may do; `GET /v1/models` lists what it can call.',
    remedy: 'Ask the operator for the permission, the group or the address. A browser must call from the page of the gateway itself.',
    seen: ['403 Forbidden', 'PermissionDeniedError', 'You are not allowed', 'not allowed from this IP', 'model not allowed for this key'],
  },
  insufficient_balance: {
    check: '`GET /v1/account` tells the balance, and what running calls hold of it.',
    remedy:
      'Top up the account (`modelgate account top-up`), raise the cap of the key, or ask for less output: the most that a call can cost is held before it is sent.',
    seen: [
      'You exceeded your current quota',
      'insufficient_quota',
      '402 payment required',
      'credit balance is too low',
      'top-up',
      'out of credits',
      'no money left',
      'refund',
    ],
  },
  subscription_inactive: {
    check: '`GET /v1/account` tells the subscription, its end and what is left of its amount.',
    remedy: 'Renew or resume the subscription, or top up the account where the group allows it to pay.',
    seen: ['subscription expired', 'plan ended', 'billing hard limit', 'included amount is used up'],
  },
  storage_quota_exceeded: {
    check: 'The message names the limit and how much is stored.',
    remedy: 'Send `store: false`, or delete responses with `DELETE /v1/responses/{response_id}`.',
    seen: ['storage limit', 'quota of stored responses', 'history full'],
  },
  model_not_found: {
    check: '`curl $BASE_URL/models -H "Authorization: Bearer $MODELGATE_API_KEY"` lists what this key can call.',
    remedy: 'Use an id of that list. Ids are those of this gateway; the vendor may have another name for the same model.',
    seen: [
      'The model does not exist or you do not have access to it',
      'model not found',
      'NotFoundError',
      'unknown model',
      'no such model',
      'deployment does not exist',
    ],
  },
  response_not_found: {
    check: 'Look whether the call had `store: false`, and whether the key belongs to the same account.',
    remedy: 'Responses are kept for the retention time only. Keep what you need longer yourself.',
    seen: ['Response with id not found', 'stored response missing', 'retention'],
  },
  not_found: {
    check: '`param` names the id. The list operation of the same kind shows what there is.',
    remedy: 'Use an id of that list, with a key of the same account.',
    seen: ['does not exist', '404 request id', 'no such key', 'no such account'],
  },
  item_not_found: {
    check: 'An item is found only where its response was stored for this account.',
    remedy: 'Send the item itself in `input`, in place of an `item_reference`.',
    seen: ['Item with id not found', 'item_reference', 'reasoning item without its following item', 'rs_ not found'],
  },
  unknown_url: {
    check: 'Print the base URL of the client. It ends in `/v1`, and the client adds `/chat/completions`.',
    remedy:
      'Set the base URL to the address of the gateway and `/v1`: `http://127.0.0.1:8080/v1`. The message names the operation where the path is one that this gateway does not have.',
    seen: [
      'missing /v1',
      '404 page not found',
      'Invalid URL',
      '/v1/v1',
      'Cannot POST /chat/completions',
      'wrong base url',
      'embeddings not supported',
      'base_url',
    ],
  },
  method_not_allowed: {
    check: 'The header `allow` names the methods of this address.',
    remedy: 'Send POST to operations that ask a model. A redirect from http to https turns POST into GET: use the https address at once.',
    seen: ['405 Method Not Allowed', 'Not allowed to GET on', 'redirect changed method'],
  },
  request_timeout: {
    check: 'Measure how long the upload takes: `curl -w "%{time_pretransfer} %{time_starttransfer}"`.',
    remedy: 'Send the call again. On slow lines, compress the body (`content-encoding: gzip`), or make pictures smaller.',
    seen: ['408 Request Timeout', 'slow upload', 'socket hang up while sending', 'n8n timeout'],
  },
  idempotency_conflict: {
    check: 'The header `idempotency-key` of the call is that of another call which has not ended.',
    remedy: 'Wait, then repeat the call with the same key and the same body: you get the answer of the first, and are charged once.',
    seen: ['409 Conflict', 'idempotency', 'request in progress with the same key', 'retry while running'],
  },
  conflict: {
    check: 'The message says what exists already.',
    remedy: 'Choose another name or id, or change the object that exists.',
    seen: ['already exists', 'name is taken', 'duplicate transfer', 'second subscription'],
  },
  config_changed: {
    check: '`modelgate config diff` tells what the file would change now.',
    remedy: 'Check the file again, and reload with the new digest.',
    seen: ['digest does not match', 'reload rejected', 'configuration changed'],
  },
  request_too_large: {
    check: 'The message names the limit and `param` what counts: the body, or the stored conversation.',
    remedy:
      'Send smaller pictures or fewer of them, or shorten the conversation. A proxy before the gateway may have a lower limit of its own, and answers without this body.',
    seen: ['413 Payload Too Large', 'request entity too large', 'client_max_body_size', 'body limit'],
  },
  unsupported_media_type: {
    check: 'Print the header `content-type` of the call.',
    remedy: 'Send `content-type: application/json`. Let the SDK write the header of a form: it holds the boundary.',
    seen: ['415 Unsupported Media Type', 'content-type', 'Unsupported content type', 'multipart', 'application/x-www-form-urlencoded'],
  },
  upgrade_required: {
    check: 'The client opens a WebSocket, as realtime APIs do.',
    remedy: 'Send POST with `stream: true`: events come over the same connection.',
    seen: ['426 Upgrade Required', 'websocket', 'realtime', 'wss://'],
  },
  headers_too_large: {
    check: 'Print the headers of the call. Cookies and tokens of a proxy are the usual cause.',
    remedy: 'Send fewer headers. Metadata belongs into the body.',
    seen: ['431 Request Header Fields Too Large', 'header overflow', 'HPE_HEADER_OVERFLOW', 'cookie too large'],
  },
  rate_limit_exceeded: {
    check: '`retry-after` and `x-ratelimit-*` of the answer say which limit, and how long. `GET /v1/key` names the limits of the key.',
    remedy:
      'Wait as long as `retry-after` says; SDKs do so by themselves twice. Send fewer calls at once, or ask the operator for a higher limit. The call cost nothing.',
    seen: ['429 Too Many Requests', 'RateLimitError', 'Rate limit reached for', 'retry-after', 'requests per minute', 'rpm', '429'],
  },
  token_limit_exceeded: {
    check: '`x-ratelimit-remaining-tokens` says what is left of the minute. The most output that a call may have counts before it is sent.',
    remedy: 'Wait for `retry-after`, set a lower `max_completion_tokens` or `max_output_tokens`, or send a shorter conversation.',
    seen: ['tokens per minute', 'TPM', 'Request too large for gpt', 'token rate limit'],
  },
  concurrency_limit_exceeded: {
    check: 'Count the calls that run with this key or account. An open stream is one of them.',
    remedy: 'Let a running call end, close streams that nobody reads, and send fewer at once.',
    seen: ['too many concurrent requests', 'parallel requests', 'max_parallel_requests', 'concurrent connections'],
  },
  internal_error: {
    check: 'The operator finds the log line by `x-request-id`, and `modelgate explain --request <id>` tells what happened.',
    remedy: 'Send the call again. Report it with the request id: this should not happen. What was held is given back.',
    seen: ['500 Internal Server Error', 'InternalServerError', 'The server had an error', 'database down', 'PostgreSQL not reachable'],
  },
  upstream_error: {
    check:
      '`GET /v1/usage/{request_id}` lists the attempts. The operator sees the status and the words of the vendor in the log, and tries the vendor with `modelgate upstream test`.',
    remedy: 'Send the call again. If it stays, the operator looks at the key and the address of the upstream: `modelgate doctor`.',
    seen: [
      '502 Bad Gateway',
      'stream closed before response.completed',
      'stream disconnected before completion',
      'ECONNRESET',
      'terminated',
      'Premature close',
      'upstream connect error',
      'provider returned error',
    ],
  },
  overloaded: {
    check: '`retry-after` says how long to wait. The operator looks at `/readyz` and at the metrics of the event loop and of memory.',
    remedy: 'Wait and send it again. An operator adds processes, or raises the memory for bodies.',
    seen: [
      '503 Service Unavailable',
      'The server is overloaded',
      'overloaded_error',
      '529',
      'Redis down',
      'no capacity',
      'memory pressure',
    ],
  },
  no_upstream_available: {
    check: '`modelgate upstream list` tells which upstreams rest, since when and why.',
    remedy:
      'Wait for `retry-after`. An operator fixes the upstream and resets it with `modelgate upstream reset`, or adds a second candidate to the model.',
    seen: [
      'No deployments available',
      'all providers failed',
      'circuit breaker open',
      'no healthy upstream',
      'cooldown',
      'upstream resting',
    ],
  },
  upstream_timeout: {
    check: '`GET /v1/usage/{request_id}` names the attempts. Compare with a stream: its first event comes early.',
    remedy:
      'Ask for a stream, so that something arrives while the model works, or for less output. An operator raises the times of the upstream.',
    seen: ['504 Gateway Timeout', 'Request timed out', 'APITimeoutError', 'Timeout', 'upstream timed out', 'ETIMEDOUT', 'headers timeout'],
  },
};
