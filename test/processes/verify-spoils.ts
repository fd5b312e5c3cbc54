/** Ways in which a deployment can break the contract, each with the check that must find it and its message. */
import type { ChangeAnswer, Passing } from '../harness/changing-proxy.ts';

/** Changes only answers to this path for which `fits` is true. */
const at =
  (path: string, change: ChangeAnswer, fits: (answer: Passing) => boolean = () => true): ChangeAnswer =>
  (answer) => {
    if (answer.path.startsWith(`/v1${path}`) && fits(answer)) change(answer);
  };
const swap =
  (from: string | RegExp, to: string): ChangeAnswer =>
  (answer) => {
    answer.body = answer.body.replace(from, to);
  };
const status =
  (changed: number): ChangeAnswer =>
  (answer) => {
    answer.status = changed;
  };
const header =
  (name: string, value?: string): ChangeAnswer =>
  ({ headers }) =>
    value === undefined ? headers.delete(name) : headers.set(name, value);

/** The catalog is not below `/v1`. */
const catalogOnly =
  (change: ChangeAnswer): ChangeAnswer =>
  (answer) => {
    if (answer.path.startsWith('/catalog')) change(answer);
  };
const isNext = ({ path }: Passing) => path.includes('after=');
const asks = (word: string) => (answer: Passing) => answer.asked.includes(word);
const streams = asks('"stream":true');
const isWhole = (answer: Passing) => !streams(answer);
const isRejected = (answer: Passing) => answer.status >= 400;

export interface Broken {
  readonly check: string;
  /** A part of the check's message. */
  readonly says: string;
  readonly spoil: ChangeAnswer;
}

const broken = (check: string, says: string, spoil: ChangeAnswer): Broken => ({ check, says, spoil });
const total = /"total_tokens":\d+/;
const done = 'data: [DONE]\n\n';
const delta = 'response.function_call_arguments.delta';

const chatStream = 'streams chat chunks with one ID and one finish reason, and ends with [DONE]';
const ordered = 'streams response events with one ID, in order, and with consecutive sequence numbers';
const oneEnd = 'ends a response stream with exactly one terminal event, then [DONE]';
const joined = 'streams the arguments of a tool call, and repeats them in the final event';
const chatCall = "streams one tool call in chat, and finishes with 'tool_calls'";
const editStream = 'streams an image edit and ends with one completed event';
const oneModel = 'retrieves a listed model by its ID';
const catalog = 'lists models and prices without a key';
const pages = 'paginates usage without duplicates';
const receipt = 'returns the receipt of a listed request';
const inputPages = 'paginates the input items of a response without gaps or duplicates';
const inBackground = 'completes a response in the background, and streams it to the end';
const resumed = 'streams the events after a given one again, unchanged';
const canceled = 'cancels a response in the background, or returns it complete';
const keptStream = 'stores the final response of a stream';
const kept = 'stores a response that can be retrieved, continued, and deleted';
const once = 'runs a request with an idempotency key once, and replays the response';
const window = 'sends limit, remaining, and reset headers together';
const list = 'lists the models that the key can call';
const chatTool = 'calls a tool in chat, and continues with its result';
const responseTool = 'calls a tool in a response, and continues with its result';

export const brokenWays: readonly Broken[] = [
  broken(list, "the list doesn't contain the model gpt-5.4", at('/models', swap(/"id":"gpt-5\.4"/, '"id":"gpt-9"'))),
  broken(list, 'the content type is text/html', header('content-type', 'text/html')),
  broken(oneModel, 'the model is gpt-9', at('/models/', swap('"id":"gpt-5.4"', '"id":"gpt-9"'))),
  broken(catalog, "doesn't match the contract at 'data'", catalogOnly(swap('"data"', '"models"'))),
  broken(catalog, 'the list has a duplicate model', catalogOnly(swap(/"id":"gpt-[^"]*"/g, '"id":"gpt-5.4"'))),
  broken(
    'returns chat content that matches the requested JSON schema',
    "the text isn't JSON",
    at('/chat', swap('"content":"{', '"content":"')),
  ),
  broken(
    'returns response text that matches the requested JSON schema',
    "at 'city'",
    at('/responses', swap('"text":"{\\"city', '"text":"{\\"town')),
  ),
  broken('returns a chat completion', "doesn't match the contract at 'choices'", at('/chat', swap('"choices"', '"answers"'), isWhole)),
  broken('returns a chat completion', 'total_tokens of the response is 999', at('/chat', swap(total, '"total_tokens":999'), isWhole)),
  broken('returns a response', 'total_tokens of the response is 999', at('/responses', swap(total, '"total_tokens":999'), isWhole)),
  broken('generates an image', 'total_tokens of the response is 999', at('/images', swap(total, '"total_tokens":999'))),
  broken('returns a chat completion', "the response isn't JSON", at('/chat', swap('{', ''))),
  broken('returns a response', 'the status is incomplete', at('/responses', swap('"status":"completed"', '"status":"incomplete"'))),
  broken(
    'generates an image',
    "the image isn't a PNG, JPEG",
    at('/images/generations', swap(/"b64_json":"[^"]{8}/, '"b64_json":"AAAAAAAA')),
  ),
  broken('edits an image', 'expected 1 image, got 0', at('/images/edits', swap(/"data":\[\{.*\}\]/, '"data":[]'))),
  broken(
    'sends a unique x-request-id with each response (models)',
    'have the x-request-id req_always',
    header('x-request-id', 'req_always'),
  ),
  broken('sends a unique x-request-id with each response (chat)', '1 of 3 responses have no', at('/chat', header('x-request-id'), streams)),
  broken(
    'sends a unique x-request-id with each response (responses)',
    '1 of 3 responses have no',
    at('/responses', header('x-request-id'), isRejected),
  ),
  broken('sends a unique x-request-id with each response (images)', '2 of 2 responses have no', header('x-request-id')),
  broken(
    'sends a unique x-request-id with each response (usage)',
    "isn't a single word",
    at('/usage', header('x-request-id', 'two words')),
  ),
  broken('sends a unique x-request-id with each response (catalog)', '2 of 2 responses have no', catalogOnly(header('x-request-id'))),

  broken(chatStream, "doesn't end with data: [DONE]", at('/chat', swap(done, ''), streams)),
  broken(chatStream, 'expected 1 ID in the chunks, got 2', at('/chat', swap(/"id":"chatcmpl-/, '"id":"other-'), streams)),
  broken(chatStream, 'expected 1 finish reason, got 0', at('/chat', swap('"finish_reason":"stop"', '"finish_reason":null'), streams)),
  broken(chatStream, 'text/plain, not text/event-stream', at('/chat', header('content-type', 'text/plain'), streams)),
  broken(
    'sends chat usage in a separate chunk when requested',
    "isn't a usage chunk",
    at('/chat', swap(/data: [^\n]*"choices":\[\][^\n]*\n\n/, ''), streams),
  ),
  broken('sends chat usage in a separate chunk when requested', 'is 999, not', at('/chat', swap(total, '"total_tokens":999'), streams)),
  broken(
    ordered,
    'expected 1 response ID, got 2',
    at('/responses', swap(/(event: response\.completed\ndata: .*?"id":")resp_/, '$1other_'), streams),
  ),
  broken(ordered, 'total_tokens of the event response.completed is 999', at('/responses', swap(total, '"total_tokens":999'), streams)),
  broken(ordered, 'sequence_number is 4, not 3', at('/responses', swap('"sequence_number":3', '"sequence_number":4'))),
  broken(ordered, 'is response.made', at('/responses', swap('event: response.created', 'event: response.made'))),
  broken(ordered, "isn't a JSON object", at('/responses', swap('data: {', 'data: '))),
  broken(oneEnd, 'expected 1 terminal event, got 0', at('/responses', swap(/event: response\.completed[\s\S]*$/, done))),
  broken(oneEnd, 'expected 1 terminal event, got 2', at('/responses', swap(/(event: response\.completed\ndata: .*\n\n)/, '$1$1'))),
  broken(
    'streams an image and ends with one completed event',
    'the last event is image_generation.partial_image',
    at('/images', swap(/event: image_generation\.completed[\s\S]*$/, ''), streams),
  ),

  broken(
    editStream,
    'the last event is image_edit.partial_image',
    at('/images', swap(/event: image_edit\.completed[\s\S]*$/, ''), streams),
  ),
  broken(
    editStream,
    'expected 1 event image_edit.completed, got 2',
    at('/images', swap(/(event: image_edit\.completed\ndata: .*\n\n)/, '$1$1'), streams),
  ),

  broken('rejects a request without a key', 'the status is 403', status(403)),
  broken('rejects a wrong key before validating the body', 'invalid_json, not', swap('invalid_api_key', 'invalid_json')),
  broken('rejects an unknown model', 'param is null', at('/chat', swap('"param":"model"', '"param":null'))),
  broken("rejects a body that isn't JSON", 'the code is invalid_value', swap('invalid_json', 'invalid_value')),
  broken('returns 400 with the name of a missing field', 'param is model', swap('"param":"messages"', '"param":"model"')),
  broken(
    'returns 400 with the name of a field that has the wrong type',
    'param is /temperature',
    swap('"param":"temperature"', '"param":"/temperature"'),
  ),
  broken(
    'returns 400 with the field for a number that is too large',
    'the code is invalid_value',
    swap('decimal_above_max_value', 'invalid_value'),
  ),
  broken('rejects a field of another operation', 'the status is 200', at('/responses', status(200), isRejected)),
  broken('rejects a body with the wrong content type', 'the status is 400', at('/chat', status(400), isRejected)),
  broken('rejects an unknown image model', 'param is null', at('/images', swap('"param":"model"', '"param":null'))),
  broken('returns 400 if the image prompt is missing', 'the status is 422', at('/images', status(422), isRejected)),
  broken('returns 400 if the image to edit is missing', 'param is image, not', at('/images', swap('"param":"images"', '"param":"image"'))),
  broken('returns 400 with the field for an empty array', 'the code is invalid_value', swap('empty_array', 'invalid_value')),
  broken('returns 400 with the field for an integer that is too small', 'the code is decimal', swap('integer_below', 'decimal_below')),
  broken('rejects an unknown previous_response_id', 'the status is 404', at('/responses', status(404), isRejected)),
  broken('rejects an unknown item ID', 'param is input', at('/responses', swap('"input[0].id"', '"input"'))),
  broken('returns 404 when deleting an unknown response', 'the status is 200', at('/responses/', status(200), isRejected)),
  broken(
    'returns 400 if the page size is too large',
    'the code is response_not_found',
    swap('integer_above_max_value', 'response_not_found'),
  ),
  broken('rejects a negative starting_after', 'the code is response_not_found', swap('integer_below_min_value', 'response_not_found')),
  broken('returns 404 for an unknown model', 'the code is unknown_url', at('/models/', swap('model_not_found', 'unknown_url'))),
  broken('rejects an unknown usage query', 'the status is 200', at('/usage', status(200), isRejected)),
  broken(
    'returns 404 for the receipt of an unknown request',
    'the code is unknown_url',
    at('/usage/', swap('"not_found"', '"unknown_url"')),
  ),
  broken('rejects an unknown price group', 'param is null', catalogOnly(swap('"param":"group"', '"param":null'))),
  broken('returns 404 for an unknown URL', "the response isn't JSON: <h1>", at('/no-such-thing', swap(/^.*$/, '<h1>Not found</h1>'))),
  broken('returns 404 for an unknown response', "at 'error.type'", swap('invalid_request_error', 'not_found_error')),
  broken('returns 405 with the allowed methods', 'the allow header is null', header('allow')),
  broken(
    'rejects a streaming request with an HTTP status, not in the stream',
    'the status is 200',
    at('/responses', status(200), isRejected),
  ),

  broken(chatTool, "the arguments aren't JSON", at('/chat', swap(/"arguments":"[^"\\]*(?:\\.[^"\\]*)*"/, '"arguments":"{"'))),
  broken(chatTool, 'no text follows the tool result', at('/chat', swap(/"content":"[^"]*"/, '"content":""'), asks('"role":"tool"'))),
  broken(chatCall, "aren't JSON", at('/chat', swap(/"arguments":"[^"\\]+/, '"arguments":"'), streams)),
  broken(chatCall, "the finish reason isn't 'tool_calls'", at('/chat', swap(/"finish_reason":"[a-z_]+"/, '"finish_reason":null'), streams)),
  broken(chatCall, 'expected 1 call ID in the chunks, got 0', at('/chat', swap(/"id":"call_[^"]*",/, ''), streams)),
  broken(responseTool, 'the output has no function call', at('/responses', swap('"type":"function_call"', '"type":"function_calls"'))),
  broken(
    joined,
    'differs from its deltas',
    at('/responses', swap(new RegExp(`(event: ${delta}\\ndata: .*?"delta":")(?:[^"\\\\]|\\\\.)*`), '$1'), streams),
  ),

  broken(kept, 'the status is 500', at('/responses/resp_', status(500))),
  broken(
    kept,
    "doesn't have the expected previous_response_id",
    at('/responses', swap(/"previous_response_id":"[^"]*"/, '"previous_response_id":null')),
  ),
  broken(keptStream, 'the stored output differs', at('/responses/resp_', swap(/"text":"[^"]+"/, '"text":"another"'))),
  broken(
    inBackground,
    'the status is completed',
    at('/responses', swap('"status":"queued"', '"status":"completed"'), asks('"background":true')),
  ),
  broken(resumed, 'the events after the second one differ', at('/responses/resp_', swap('"sequence_number":3', '"sequence_number":4'))),
  broken(
    canceled,
    'the status is in_progress',
    at('/responses/resp_', swap(/"status":"(?:cancelled|completed)"/, '"status":"in_progress"')),
  ),
  broken(inputPages, "has_more isn't", at('/responses/', swap('"has_more":true', '"has_more":false'))),
  broken(inputPages, 'items on all pages, got', at('/responses/', swap(/"id":"[^"]*"/g, '"id":"msg_same"'))),
  broken('rejects an idempotency key that was used with another body', 'the status is 200', at('/chat', status(200), isRejected)),
  broken(
    'returns the balance, usage, and statement',
    'the key belongs to another account',
    at('/key', swap(/"account_id":"[^"]*"/, '"account_id":"acct_other"')),
  ),
  broken(pages, 'expected 1 request on the next page, got 0', at('/usage', swap(/"data":\[.*\]/, '"data":[]'), isNext)),
  broken(pages, "last_id isn't the ID", at('/usage', swap(/"last_id":"[^"]*"/, '"last_id":"req_other"'))),
  broken(receipt, 'the receipt belongs to another request', at('/usage/', swap(/"request_id":"[^"]*"/, '"request_id":"req_other"'))),
  broken(once, "isn't marked as a replay", header('idempotent-replayed')),
  broken(once, 'the second response differs', (answer) => swap(/$/, `\n${answer.headers.get('x-request-id')}`)(answer)),

  broken(window, "which isn't a duration", header('x-ratelimit-reset-requests')),
  broken(window, 'the remaining requests (9) exceed the limit', header('x-ratelimit-remaining-requests', '9')),
  broken(
    'rejects a call above the rate limit with retry-after',
    'retry-after is soon',
    at('/chat', header('retry-after', 'soon'), isRejected),
  ),
];
