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

const chatStream = 'streams a chat in chunks of one id, with one finish reason, to [DONE]';
const ordered = 'streams a response of one id in the promised order, numbered without a gap';
const oneEnd = 'ends a response in exactly one terminal event, then [DONE]';
const joined = 'streams the arguments of a call, and repeats the same at the end';
const chatCall = 'streams a call in chat whose pieces join to one call, and ends for it';
const editStream = 'streams an edited image to one completed event';
const oneModel = 'has a model of the list by its id';
const catalog = 'shows anybody the models and their prices';
const pages = 'lists what was used by pages, without a repeat';
const receipt = 'has a receipt of a request that it lists';
const inputPages = 'lists the input of a response by pages, without a gap or a repeat';
const keptStream = 'keeps what a stream ended with';
const kept = 'stores a response: it can be read, continued and deleted';
const once = 'runs an idempotency key once, and repeats the answer';
const window = 'sends limit, remaining and reset together';
const list = 'lists the models that the key can call';
const chatTool = 'calls a tool in chat, and continues with its result';
const responseTool = 'calls a tool in a response, and continues with its result';

export const brokenWays: readonly Broken[] = [
  broken(list, 'the list does not have the model gpt-5.4', at('/models', swap(/"id":"gpt-5\.4"/, '"id":"gpt-9"'))),
  broken(list, 'the content type is text/html', header('content-type', 'text/html')),
  broken(oneModel, 'it is the model gpt-9', at('/models/', swap('"id":"gpt-5.4"', '"id":"gpt-9"'))),
  broken(catalog, "does not match the contract at 'data'", catalogOnly(swap('"data"', '"models"'))),
  broken(catalog, 'a model stands there twice', catalogOnly(swap(/"id":"gpt-[^"]*"/g, '"id":"gpt-5.4"'))),
  broken(
    'answers a chat in JSON of the schema that is asked for',
    'the text is not JSON',
    at('/chat', swap('"content":"{', '"content":"')),
  ),
  broken(
    'answers a response in JSON of the schema that is asked for',
    "at 'city'",
    at('/responses', swap('"text":"{\\"city', '"text":"{\\"town')),
  ),
  broken('answers a chat', "does not match the contract at 'choices'", at('/chat', swap('"choices"', '"answers"'), isWhole)),
  broken('answers a chat', 'total_tokens of the answer is 999', at('/chat', swap(total, '"total_tokens":999'), isWhole)),
  broken('answers a response', 'total_tokens of the answer is 999', at('/responses', swap(total, '"total_tokens":999'), isWhole)),
  broken('generates an image', 'total_tokens of the answer is 999', at('/images', swap(total, '"total_tokens":999'))),
  broken('answers a chat', 'the answer is not JSON', at('/chat', swap('{', ''))),
  broken('answers a response', 'its status is incomplete', at('/responses', swap('"status":"completed"', '"status":"incomplete"'))),
  broken('generates an image', 'neither PNG nor JPEG', at('/images/generations', swap(/"b64_json":"[^"]{8}/, '"b64_json":"AAAAAAAA'))),
  broken('edits an image', 'there are 0 images', at('/images/edits', swap(/"data":\[\{.*\}\]/, '"data":[]'))),
  broken('gives every answer of models an id of its own', 'have the x-request-id req_always', header('x-request-id', 'req_always')),
  broken('gives every answer of chat an id of its own', '1 of 3 answers have no', at('/chat', header('x-request-id'), streams)),
  broken(
    'gives every answer of responses an id of its own',
    '1 of 3 answers have no',
    at('/responses', header('x-request-id'), isRejected),
  ),
  broken('gives every answer of images an id of its own', '2 of 2 answers have no', header('x-request-id')),
  broken('gives every answer of usage an id of its own', 'is not one word', at('/usage', header('x-request-id', 'two words'))),
  broken('gives every answer of catalog an id of its own', '2 of 2 answers have no', catalogOnly(header('x-request-id'))),

  broken(chatStream, 'does not end with data: [DONE]', at('/chat', swap(done, ''), streams)),
  broken(chatStream, '2 ids', at('/chat', swap(/"id":"chatcmpl-/, '"id":"other-'), streams)),
  broken(chatStream, '0 finish reasons', at('/chat', swap('"finish_reason":"stop"', '"finish_reason":null'), streams)),
  broken(chatStream, 'text/plain, not text/event-stream', at('/chat', header('content-type', 'text/plain'), streams)),
  broken(
    'sends the usage of a chat in a separate chunk, on request',
    'is not the usage',
    at('/chat', swap(/data: [^\n]*"choices":\[\][^\n]*\n\n/, ''), streams),
  ),
  broken(
    'sends the usage of a chat in a separate chunk, on request',
    'is 999, not',
    at('/chat', swap(total, '"total_tokens":999'), streams),
  ),
  broken(
    ordered,
    'the response has 2 ids',
    at('/responses', swap(/(event: response\.completed\ndata: .*?"id":")resp_/, '$1other_'), streams),
  ),
  broken(ordered, 'total_tokens of the event response.completed is 999', at('/responses', swap(total, '"total_tokens":999'), streams)),
  broken(ordered, 'sequence_number is 4, not 3', at('/responses', swap('"sequence_number":3', '"sequence_number":4'))),
  broken(ordered, 'is named response.made', at('/responses', swap('event: response.created', 'event: response.made'))),
  broken(ordered, 'is not a JSON object', at('/responses', swap('data: {', 'data: '))),
  broken(oneEnd, '0 terminal events', at('/responses', swap(/event: response\.completed[\s\S]*$/, done))),
  broken(oneEnd, '2 terminal events', at('/responses', swap(/(event: response\.completed\ndata: .*\n\n)/, '$1$1'))),
  broken(
    'streams an image to one completed event',
    'the last event is image_generation.partial_image',
    at('/images', swap(/event: image_generation\.completed[\s\S]*$/, ''), streams),
  ),

  broken(
    editStream,
    'the last event is image_edit.partial_image',
    at('/images', swap(/event: image_edit\.completed[\s\S]*$/, ''), streams),
  ),
  broken(editStream, '2 events image_edit.completed', at('/images', swap(/(event: image_edit\.completed\ndata: .*\n\n)/, '$1$1'), streams)),

  broken('refuses a caller without a key', 'the status is 403', status(403)),
  broken('refuses a wrong key before a wrong body', 'invalid_json, not', swap('invalid_api_key', 'invalid_json')),
  broken('refuses an unknown model', 'param is null', at('/chat', swap('"param":"model"', '"param":null'))),
  broken('refuses a body that is not JSON', 'the code is invalid_value', swap('invalid_json', 'invalid_value')),
  broken('names a missing field', 'param is model', swap('"param":"messages"', '"param":"model"')),
  broken('names a field of the wrong type', 'param is /temperature', swap('"param":"temperature"', '"param":"/temperature"')),
  broken('names a number that is too large', 'the code is invalid_value', swap('decimal_above_max_value', 'invalid_value')),
  broken('refuses a field of another operation', 'the status is 200', at('/responses', status(200), isRejected)),
  broken('refuses a body of another type', 'the status is 400', at('/chat', status(400), isRejected)),
  broken('names an image model that is not there', 'param is null', at('/images', swap('"param":"model"', '"param":null'))),
  broken('names a missing prompt of an image', 'the status is 422', at('/images', status(422), isRejected)),
  broken('names a missing image to edit', 'param is image, not', at('/images', swap('"param":"images"', '"param":"image"'))),
  broken('names a list that is empty', 'the code is invalid_value', swap('empty_array', 'invalid_value')),
  broken('names a whole number that is too small', 'the code is decimal', swap('integer_below', 'decimal_below')),
  broken('does not go on from the response of nobody', 'the status is 404', at('/responses', status(404), isRejected)),
  broken('does not know an item of nobody', 'param is input', at('/responses', swap('"input[0].id"', '"input"'))),
  broken('does not delete the response of nobody', 'the status is 200', at('/responses/', status(200), isRejected)),
  broken('names a page of items that is too long', 'the code is response_not_found', swap('integer_above_max_value', 'response_not_found')),
  broken('does not stream what is stored', 'the code is response_not_found', swap('unsupported_parameter', 'response_not_found')),
  broken(
    'does not know a single model that is not there',
    'the code is unknown_url',
    at('/models/', swap('model_not_found', 'unknown_url')),
  ),
  broken('refuses a question about usage that it does not know', 'the status is 200', at('/usage', status(200), isRejected)),
  broken('has no receipt of a request of nobody', 'the code is unknown_url', at('/usage/', swap('"not_found"', '"unknown_url"'))),
  broken('does not know a group of prices that is none', 'param is null', catalogOnly(swap('"param":"group"', '"param":null'))),
  broken('has nothing at an unknown address', 'not JSON: <h1>', at('/no-such-thing', swap(/^.*$/, '<h1>Not found</h1>'))),
  broken('answers 404 for an unknown response', "at 'error.type'", swap('invalid_request_error', 'not_found_error')),
  broken('names the methods of an address when the method is wrong', 'the allow header is null', header('allow')),
  broken('refuses a stream by its status, not within it', 'the status is 200', at('/responses', status(200), isRejected)),

  broken(chatTool, 'the arguments are not JSON', at('/chat', swap(/"arguments":"[^"\\]*(?:\\.[^"\\]*)*"/, '"arguments":"{"'))),
  broken(chatTool, 'there is no text after the result', at('/chat', swap(/"content":"[^"]*"/, '"content":""'), asks('"role":"tool"'))),
  broken(chatCall, 'are not JSON', at('/chat', swap(/"arguments":"[^"\\]+/, '"arguments":"'), streams)),
  broken(chatCall, 'does not end for the call', at('/chat', swap(/"finish_reason":"[a-z_]+"/, '"finish_reason":null'), streams)),
  broken(chatCall, '0 ids of calls', at('/chat', swap(/"id":"call_[^"]*",/, ''), streams)),
  broken(responseTool, 'the output has no call of a function', at('/responses', swap('"type":"function_call"', '"type":"function_calls"'))),
  broken(
    joined,
    'differs from its deltas',
    at('/responses', swap(new RegExp(`(event: ${delta}\\ndata: .*?"delta":")(?:[^"\\\\]|\\\\.)*`), '$1'), streams),
  ),

  broken(kept, 'the status is 500', at('/responses/resp_', status(500))),
  broken(kept, 'does not name the one before', at('/responses', swap(/"previous_response_id":"[^"]*"/, '"previous_response_id":null'))),
  broken(keptStream, 'is another one', at('/responses/resp_', swap(/"text":"[^"]+"/, '"text":"another"'))),
  broken(inputPages, 'has_more is not', at('/responses/', swap('"has_more":true', '"has_more":false'))),
  broken(inputPages, 'the pages have', at('/responses/', swap(/"id":"[^"]*"/g, '"id":"msg_same"'))),
  broken('refuses an idempotency key under which something else was asked', 'the status is 200', at('/chat', status(200), isRejected)),
  broken(
    'tells what is left, what was used and what was paid',
    'the key is of another account',
    at('/key', swap(/"account_id":"[^"]*"/, '"account_id":"acct_other"')),
  ),
  broken(pages, 'the next page has 0 requests', at('/usage', swap(/"data":\[.*\]/, '"data":[]'), isNext)),
  broken(pages, 'last_id is not', at('/usage', swap(/"last_id":"[^"]*"/, '"last_id":"req_other"'))),
  broken(receipt, 'it is the receipt of another request', at('/usage/', swap(/"request_id":"[^"]*"/, '"request_id":"req_other"'))),
  broken(once, 'is not marked as a repetition', header('idempotent-replayed')),
  broken(once, 'the second answer differs', (answer) => swap(/$/, `\n${answer.headers.get('x-request-id')}`)(answer)),

  broken(window, 'which is not a duration', header('x-ratelimit-reset-requests')),
  broken(window, '9 requests remain of', header('x-ratelimit-remaining-requests', '9')),
  broken(
    'refuses a call beyond the limit, and says when to retry',
    'retry-after is soon',
    at('/chat', header('retry-after', 'soon'), isRejected),
  ),
];
