/** Checks errors: invalid requests return the documented status, code, and parameter. */
import type { ErrorCode } from '../../contract/errors.ts';
import { assert, assertAll, assertError } from './assert.ts';
import { type Check, findArea } from './check.ts';
import { createChatRequest, createImageRequest, createResponseRequest } from './request.ts';
import type { RequestOptions, VerifyClient } from './target.ts';

interface ErrorCase {
  readonly name: string;
  readonly code: ErrorCode;
  readonly param?: string;
  readonly path: string;
  readonly ask: (caller: VerifyClient) => RequestOptions;
}

const errorCases: readonly ErrorCase[] = [
  { name: 'rejects a request without a key', code: 'invalid_api_key', path: '/models', ask: () => ({ key: null }) },
  {
    name: 'rejects a wrong key before validating the body',
    code: 'invalid_api_key',
    path: '/chat/completions',
    ask: () => ({ key: 'mg-wrong', body: '{' }),
  },
  {
    name: 'rejects an unknown model',
    code: 'model_not_found',
    param: 'model',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...createChatRequest(caller), model: 'no-such-model' } }),
  },
  { name: "rejects a body that isn't JSON", code: 'invalid_json', path: '/responses', ask: () => ({ body: '{"model": ' }) },
  {
    name: 'returns 400 with the name of a missing field',
    code: 'missing_required_parameter',
    param: 'messages',
    path: '/chat/completions',
    ask: ({ model }) => ({ json: { model } }),
  },
  {
    name: 'returns 400 with the name of a field that has the wrong type',
    code: 'invalid_type',
    param: 'temperature',
    path: '/responses',
    ask: (caller) => ({ json: { ...createResponseRequest(caller), temperature: 'warm' } }),
  },
  {
    name: 'returns 400 with the field for a number that is too large',
    code: 'decimal_above_max_value',
    param: 'temperature',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...createChatRequest(caller), temperature: 9 } }),
  },
  {
    name: 'rejects a field of another operation',
    code: 'unknown_parameter',
    param: 'response_format',
    path: '/responses',
    ask: (caller) => ({ json: { ...createResponseRequest(caller), response_format: { type: 'text' } } }),
  },
  {
    name: 'rejects a body with the wrong content type',
    code: 'unsupported_media_type',
    path: '/chat/completions',
    ask: () => ({ body: 'hello', headers: { 'content-type': 'text/plain' } }),
  },
  {
    name: 'rejects an unknown image model',
    code: 'model_not_found',
    param: 'model',
    path: '/images/generations',
    ask: (caller) => ({ json: { ...createImageRequest(caller), model: 'no-such-model' } }),
  },
  {
    name: 'returns 400 if the image prompt is missing',
    code: 'missing_required_parameter',
    param: 'prompt',
    path: '/images/generations',
    ask: (caller) => ({ json: { model: createImageRequest(caller).model } }),
  },
  {
    name: 'returns 400 if the image to edit is missing',
    code: 'missing_required_parameter',
    param: 'images',
    path: '/images/edits',
    ask: (caller) => ({ json: createImageRequest(caller) }),
  },
  {
    name: 'returns 400 with the field for an empty array',
    code: 'empty_array',
    param: 'messages',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...createChatRequest(caller), messages: [] } }),
  },
  {
    name: 'returns 400 with the field for an integer that is too small',
    code: 'integer_below_min_value',
    param: 'max_completion_tokens',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...createChatRequest(caller), max_completion_tokens: 0 } }),
  },
  {
    name: 'rejects an unknown previous_response_id',
    code: 'previous_response_not_found',
    param: 'previous_response_id',
    path: '/responses',
    ask: (caller) => ({ json: { ...createResponseRequest(caller), previous_response_id: 'resp_of_nobody' } }),
  },
  {
    name: 'rejects an unknown item ID',
    code: 'item_not_found',
    param: 'input[0].id',
    path: '/responses',
    ask: (caller) => ({ json: { ...createResponseRequest(caller), input: [{ type: 'item_reference', id: 'msg_of_nobody' }] } }),
  },
  {
    name: 'returns 404 when deleting an unknown response',
    code: 'response_not_found',
    path: '/responses/resp_of_nobody',
    ask: () => ({ method: 'DELETE' }),
  },
  {
    name: 'returns 400 if the page size is too large',
    code: 'integer_above_max_value',
    param: 'limit',
    path: '/responses/resp_of_nobody/input_items?limit=1000',
    ask: () => ({}),
  },
  {
    name: 'rejects a negative starting_after',
    code: 'integer_below_min_value',
    param: 'starting_after',
    path: '/responses/resp_of_nobody?stream=true&starting_after=-1',
    ask: () => ({}),
  },
  {
    name: 'returns 404 for an unknown model',
    code: 'model_not_found',
    param: 'model',
    path: '/models/no-such-model',
    ask: () => ({}),
  },
  {
    name: 'rejects an unknown usage query',
    code: 'unknown_parameter',
    param: 'since',
    path: '/usage?since=1',
    ask: () => ({}),
  },
  {
    name: 'returns 404 for the receipt of an unknown request',
    code: 'not_found',
    param: 'request_id',
    path: '/usage/req_of_nobody',
    ask: () => ({}),
  },
  { name: 'returns 404 for an unknown URL', code: 'unknown_url', path: '/no-such-thing', ask: () => ({}) },
  {
    name: 'returns 404 for an unknown response',
    code: 'response_not_found',
    path: '/responses/resp_of_nobody',
    ask: () => ({}),
  },
];

export const errorChecks: readonly Check[] = [
  ...errorCases.map(
    ({ name, code, param, path, ask }): Check => ({
      group: 'errors',
      area: findArea(path),
      name,
      run: async (caller) => assertError(await caller.send(path, ask(caller)), code, param),
    }),
  ),
  {
    group: 'errors',
    area: 'chat',
    name: 'returns 405 with the allowed methods',
    async run(caller) {
      const response = await caller.send('/chat/completions', { method: 'GET' });
      const allowHeader = String(response.headers.get('allow'));
      assertAll([
        () => assertError(response, 'method_not_allowed'),
        () => assert(allowHeader === 'POST', `the allow header is ${allowHeader}, not POST`),
      ]);
    },
  },
  {
    group: 'errors',
    area: 'responses',
    name: 'rejects a streaming request with an HTTP status, not in the stream',
    async run(caller) {
      const json = { ...createResponseRequest(caller), model: 'no-such-model', stream: true };
      assertError(await caller.send('/responses', { json }), 'model_not_found', 'model');
    },
  },
];
