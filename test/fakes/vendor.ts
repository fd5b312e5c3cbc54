/** The default answers of the fake vendor: a correct one for each of the five operations. */
import { type ChatReply, chatCompletion, chatFrames, fakeCreated } from './chat.ts';
import { json, stream } from './delivery.ts';
import type { FakeRequest } from './exchange.ts';
import { failure } from './faults.ts';
import { type ImagesReply, imageFrames, images } from './images.ts';
import { oddField, oddJson } from './odd.ts';
import { type ResponseReply, response, responseFrames } from './responses.ts';
import type { HeaderValues, Script } from './script.ts';

export interface Vendor {
  readonly apiKey?: string;
  readonly models?: readonly string[];
}

type Answer = (request: FakeRequest, headers: HeaderValues) => Script;

export const fakeModels = ['gpt-5.5', 'gpt-5.4', 'gpt-5.4-mini', 'gpt-image-2'];

const operations: Readonly<Record<string, Answer>> = {
  'POST /v1/chat/completions': answerChat,
  'POST /v1/responses': answerResponse,
  'POST /v1/images/generations': (request, headers) => answerImages(request, headers, 'image_generation'),
  'POST /v1/images/edits': (request, headers) => answerImages(request, headers, 'image_edit'),
};

export function answer(request: FakeRequest, vendor: Vendor): Script {
  const headers = vendorHeaders(request);
  const refuse = (status: number, message: string, code: string | null, param: string | null = null): Script =>
    failure(status, { message, code, param, headers });
  if (vendor.apiKey !== undefined && request.headers.authorization !== `Bearer ${vendor.apiKey}`) {
    return refuse(401, 'Incorrect API key provided: sk-fa**************ke.', 'invalid_api_key');
  }
  if (request.method === 'GET' && request.path === '/v1/models') return json(oddJson(modelList(vendor)), { headers });
  const operation = operations[`${request.method} ${request.path}`];
  if (operation === undefined) return refuse(404, `Invalid URL (${request.method} ${request.path})`, null);
  if (request.json === undefined && request.parts === undefined) return refuse(400, 'We could not parse the body of your request.', null);
  if (typeof request.fields.model !== 'string') return refuse(400, 'you must provide a model parameter', null);
  return operation(request, headers);
}

/** Headers that a vendor behind a CDN adds to its answers. */
export function vendorHeaders(request: FakeRequest): HeaderValues {
  return {
    'x-request-id': `req_fake_${request.index}`,
    'openai-organization': 'org-fake',
    'openai-processing-ms': '12',
    'openai-version': '2020-10-01',
    'x-ratelimit-remaining-requests': '4999',
    'set-cookie': ['__cf_bm=fake; path=/; HttpOnly', '_cfuvid=fake; path=/; HttpOnly'],
    server: 'fake-edge',
  };
}

function modelList({ models }: Vendor): unknown {
  const data = (models ?? fakeModels).map((id) => ({ id, object: 'model', created: fakeCreated, owned_by: 'fake' }));
  return { object: 'list', data, ...oddField };
}

function answerChat({ fields }: FakeRequest, headers: HeaderValues): Script {
  const options = fields.stream_options;
  const includeUsage = typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true;
  const reply: ChatReply = { model: String(fields.model), n: numberOf(fields.n, 1), includeUsage };
  return isTrue(fields.stream) ? stream(chatFrames(reply), { headers }) : json(oddJson(chatCompletion(reply)), { headers });
}

function answerResponse({ fields }: FakeRequest, headers: HeaderValues): Script {
  const echoed = ['instructions', 'previous_response_id', 'tools', 'tool_choice', 'text', 'store', 'metadata', 'max_output_tokens'];
  const echo = Object.fromEntries(echoed.filter((name) => fields[name] != null).map((name) => [name, fields[name]]));
  const reply: ResponseReply = { model: String(fields.model), echo };
  if (isCompaction(fields.input)) return json(oddJson({ ...response(reply), output: [compaction] }), { headers });
  return isTrue(fields.stream) ? stream(responseFrames(reply), { headers }) : json(oddJson(response(reply)), { headers });
}

/** A conversation that the vendor compacted. */
const compaction = { id: 'cmp_fake', type: 'compaction', encrypted_content: 'gAAAA-a-fake-conversation' };

const isCompaction = (input: unknown): boolean => Array.isArray(input) && Object(input.at(-1)).type === 'compaction_trigger';

export function answerImages({ fields }: FakeRequest, headers: HeaderValues, operation: 'image_generation' | 'image_edit'): Script {
  const text = (name: string): string | undefined => (typeof fields[name] === 'string' ? fields[name] : undefined);
  const reply: ImagesReply = {
    operation,
    n: numberOf(fields.n, 1),
    partials: numberOf(fields.partial_images, 0),
    size: text('size') ?? 'auto',
    quality: text('quality') ?? 'auto',
    background: text('background') ?? 'auto',
    outputFormat: text('output_format') ?? 'png',
  };
  return isTrue(fields.stream) ? stream(imageFrames(reply), { headers }) : json(oddJson(images(reply)), { headers });
}

/** Values of a form are always text. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function numberOf(value: unknown, otherwise: number): number {
  return value == null || value === '' ? otherwise : Number(value);
}
