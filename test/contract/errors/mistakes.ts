/** Mistakes of callers, by code and by operation: the change of a valid request that is answered with the code. */
import type { ErrorCode } from '../../../contract/errors.ts';
import type { OperationName } from '../../../contract/operation-errors.ts';
import { picture } from './asks.ts';
import type { Change } from './stage.ts';

type ByOperation = { readonly [Name in OperationName]?: Change };

const json = (fields: object): Change => ({ json: fields });
const query = (text: string): Change => ({ query: text });
const each = (change: Change, ...names: readonly OperationName[]): ByOperation => Object.fromEntries(names.map((name) => [name, change]));

const responses = ['createResponse', 'countInputTokens'] as const;
const conversations = [...responses, 'compactResponse'] as const;
const texts = [...responses, 'createChatCompletion'] as const;
const pictures = ['generateImages', 'editImages'] as const;
const calls = [...texts, 'compactResponse', ...pictures] as const;
const lists = ['listInputItems', 'listUsage', 'listStatement'] as const;
const long = 'x'.repeat(600);
const tools = Array.from({ length: 129 }, () => ({ type: 'function', name: 'f', function: { name: 'f' } }));
const notPicture = `data:image/png;base64,${Buffer.from('not a picture').toString('base64')}`;
const edited = (url: string): ByOperation => ({ editImages: json({ images: [{ image_url: url }] }) });

export const mistakes: { readonly [Code in ErrorCode]?: ByOperation } = {
  invalid_json: each({ body: '{' }, ...calls, 'deleteResponse', 'cancelResponse'),
  unsupported_media_type: each({ body: 'x', headers: { 'content-type': 'text/plain' } }, ...calls, 'deleteResponse', 'cancelResponse'),
  model_not_found: { ...each(json({ model: 'nobody' }), ...calls), getModel: {}, getProtocol: query('?model=nobody') },
  missing_required_parameter: each(json({ model: undefined }), ...calls),
  unknown_parameter: {
    ...each(json({ tools: [] }), ...pictures),
    ...each(json({ max_tokens: 5 }), ...conversations),
    createChatCompletion: json({ max_output_tokens: 5 }),
    ...each(
      query('?x=1'),
      'getCatalog',
      'getProtocol',
      'listUsage',
      'getUsage',
      'getAccount',
      'getKey',
      'getUsageSummary',
      'listStatement',
    ),
  },
  unsupported_parameter: each(json({ conversation: 'conv_1' }), ...conversations),
  unsupported_value: {
    ...each(json({ background: true, store: false }), ...responses),
    ...each(json({ response_format: 'url' }), ...pictures),
  },
  invalid_type: {
    ...each(json({ model: 5 }), ...calls),
    listModels: query('?client_version=1&client_version=2'),
    getCatalog: query('?group=a&group=b'),
    getProtocol: query('?model=a&model=b'),
    getResponse: query('?stream=perhaps'),
    ...each(query('?limit=many'), ...lists),
    getUsageSummary: query('?from=lately'),
  },
  invalid_value: {
    ...each(json({ service_tier: 'cheap' }), ...conversations, 'createChatCompletion'),
    ...each(json({ quality: 'superb' }), ...pictures),
    ...each({ body: `{"a":${'['.repeat(501)}${']'.repeat(501)}}` }, 'deleteResponse', 'cancelResponse'),
    getCatalog: query('?group=nobody'),
    listInputItems: query('?order=sideways'),
    ...each(query('?after=req_1'), 'listUsage', 'listStatement'),
    getUsageSummary: query('?group_by=mood'),
  },
  integer_below_min_value: {
    ...each(json({ max_output_tokens: 1 }), ...responses),
    ...each(json({ n: 0 }), 'createChatCompletion', ...pictures),
    ...each(query('?limit=0'), ...lists),
    getResponse: query('?starting_after=-1'),
    getUsageSummary: query('?from=-1'),
  },
  integer_above_max_value: {
    ...each(json({ max_output_tokens: 100_000_000 }), ...responses),
    ...each(json({ n: 1_000 }), 'createChatCompletion', ...pictures),
    ...each(query('?limit=1000'), ...lists),
  },
  decimal_below_min_value: each(json({ temperature: -1 }), ...texts),
  decimal_above_max_value: each(json({ temperature: 3 }), ...texts),
  string_above_max_length: {
    ...each(json({ safety_identifier: long }), ...texts, ...pictures),
    compactResponse: json({ prompt_cache_key: long }),
    ...each({ id: long }, 'getModel', 'getResponse', 'deleteResponse', 'cancelResponse', 'listInputItems', 'getUsage'),
    getCatalog: query(`?group=${long}`),
    getProtocol: query(`?model=${long}`),
    ...each(query(`?after=${long}`), 'listUsage', 'listStatement'),
    getUsageSummary: query(`?model=${long}`),
  },
  empty_string: {
    ...each(json({ model: '' }), ...texts, 'compactResponse'),
    ...each(json({ prompt: '' }), ...pictures),
    getCatalog: query('?group='),
    getProtocol: query('?model='),
    ...each(query('?after='), 'listUsage', 'listStatement'),
    getUsageSummary: query('?model='),
  },
  array_above_max_length: { ...each(json({ tools }), ...texts), editImages: json({ images: Array(20).fill(picture) }) },
  empty_array: { createChatCompletion: json({ messages: [] }), editImages: json({ images: [] }) },
  previous_response_not_found: each(json({ previous_response_id: 'resp_1' }), ...conversations),
  item_not_found: each(json({ input: [{ type: 'item_reference', id: 'msg_1' }] }), ...conversations),
  invalid_image_format: edited(notPicture),
  invalid_base64_image: edited('data:image/png;base64,@@@@'),
  invalid_image_url: edited('http://example.com/a.png'),
  response_not_found: each({}, 'getResponse', 'deleteResponse', 'cancelResponse', 'listInputItems'),
  not_found: each({}, 'getUsage'),
};
