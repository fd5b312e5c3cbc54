/** Imitates Azure OpenAI and Claude in Foundry. Checks credentials, paths, versions and deployments strictly; each answer has the fields of the content filter. */
import { anthropicFrames, anthropicMessage } from './anthropic.ts';
import { chatCompletion, chatFrames, type FakeToolCall } from './chat.ts';
import { json, stream } from './delivery.ts';
import type { FakeRequest } from './exchange.ts';
import type { SseEvent } from './frames.ts';
import { response, responseFrames } from './responses.ts';
import type { Script } from './script.ts';
import { answerImages } from './vendor.ts';

export interface AzureRules {
  /** The key of the resource. Absent: only access tokens are accepted. */
  readonly key?: string;
  /** Whether an access token is valid now. Absent: only the key is accepted. */
  readonly isGood?: (token: string) => boolean;
  /** Names of the deployments. Absent: any name is accepted. */
  readonly deployments?: readonly string[];
  /** API versions of the older paths. Absent: only `/openai/v1` is served. */
  readonly versions?: readonly string[];
}

export interface AzureReply {
  readonly text?: string;
  readonly toolCalls?: readonly FakeToolCall[];
}

/** The model of a deployment: answers name it, not the deployment. */
export const servedModel = 'gpt-5-nano-2025-08-07';

const safe = { filtered: false, severity: 'safe' };
export const verdicts = { hate: safe, self_harm: safe, sexual: safe, violence: safe, jailbreak: { filtered: false, detected: false } };
const prompts = [{ prompt_index: 0, content_filter_results: verdicts }];

/** The fields of a chat request in version 2024-10-21; others are rejected. */
const fields2024 = new Set([
  ...['model', 'messages', 'data_sources', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs', 'max_tokens', 'n'],
  ...['parallel_tool_calls', 'presence_penalty', 'response_format', 'seed', 'stop', 'stream', 'stream_options', 'temperature'],
  ...['tool_choice', 'tools', 'top_logprobs', 'top_p', 'user'],
]);

type Fields = Readonly<Record<string, unknown>>;

export function azureFailure(status: number, error: Fields, headers: Readonly<Record<string, string>> = {}): Script {
  return json({ error }, { status, headers: { 'apim-request-id': 'fake', 'x-ms-region': 'Fake', ...headers } });
}

const denied = azureFailure(401, {
  code: '401',
  message:
    'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.',
});
const noDeployment = azureFailure(404, { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' });
const noResource = azureFailure(404, { code: '404', message: 'Resource not found' });
const noVersion = azureFailure(400, { code: 'BadRequest', message: 'API version not supported' });

export const azure =
  (rules: AzureRules, reply: AzureReply = {}) =>
  (request: FakeRequest): Script => {
    if (!isAllowed(rules, request)) return denied;
    const claude = /^\/anthropic\/v1(\/.*)$/.exec(request.path)?.[1];
    if (claude !== undefined) return answerClaude(rules, claude, { request, reply });
    const dated = /^\/openai\/deployments\/([^/]+)(\/.*)$/.exec(request.path);
    const operation = dated?.[2] ?? /^\/openai(?:\/v1)?(\/.*)$/.exec(request.path)?.[1] ?? '';
    const isNew = request.path.startsWith('/openai/v1/');
    const version = request.query.get('api-version');
    if (isNew ? version !== null : version === null) return isNew ? noVersion : noResource;
    if (version !== null && !rules.versions?.includes(version)) return noVersion;
    if (request.method === 'GET' && operation === '/models') return json({ object: 'list', data: [] });
    if (!isNew && dated === null) return noResource;
    const deployment = dated ? decodeURIComponent(dated[1] ?? '') : request.fields.model;
    if (!isDeployed(rules, deployment)) return noDeployment;
    const unknown = version === '2024-10-21' && operation === '/chat/completions' ? unknownIn(request) : undefined;
    if (unknown !== undefined) return azureFailure(400, { message: `Unknown parameter: '${unknown}'.`, type: 'invalid_request_error' });
    return answerOf(operation, isNew)?.(request, reply) ?? noResource;
  };

const unknownIn = ({ fields }: FakeRequest): string | undefined => {
  const roles = Array.isArray(fields.messages) ? fields.messages.map((message) => (isFields(message) ? message.role : undefined)) : [];
  return roles.includes('developer') ? 'messages' : Object.keys(fields).find((name) => !fields2024.has(name));
};

/** Whether the request has exactly one credential, in the right header. */
function isAllowed({ key, isGood }: AzureRules, { headers, path }: FakeRequest): boolean {
  const keys = [headers['api-key'], path.startsWith('/anthropic/') ? headers['x-api-key'] : undefined].filter((one) => one !== undefined);
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  if (keys.length + (headers.authorization === undefined ? 0 : 1) !== 1) return false;
  return token === undefined ? key !== undefined && keys[0] === key : isGood?.(token) === true;
}

const isDeployed = ({ deployments }: AzureRules, name: unknown): boolean => deployments?.includes(String(name)) ?? true;

interface Asked {
  readonly request: FakeRequest;
  readonly reply: AzureReply;
}

function answerClaude(rules: AzureRules, operation: string, { request, reply }: Asked): Script {
  if (request.method !== 'POST' || operation !== '/messages') return noResource;
  if (request.headers['anthropic-version'] !== '2023-06-01')
    return json(
      { type: 'error', error: { type: 'invalid_request_error', message: 'anthropic-version: header is required' } },
      { status: 400 },
    );
  if (!isDeployed(rules, request.fields.model)) return noDeployment;
  const said = { model: 'claude-sonnet-4-6', ...reply };
  return request.fields.stream === true ? stream(anthropicFrames(said)) : json(anthropicMessage(said));
}

type Answer = (request: FakeRequest, reply: AzureReply) => Script;

function answerOf(operation: string, isNew: boolean): Answer | undefined {
  const answers: Readonly<Record<string, Answer>> = {
    '/chat/completions': answerChat,
    ...(isNew && { '/responses': answerResponse }),
    '/images/generations': (request) => answerImages(request, {}, 'image_generation'),
    '/images/edits': (request) => answerImages(request, {}, 'image_edit'),
  };
  return answers[operation];
}

const isStreamed = ({ stream: asked }: Fields): boolean => asked === true || asked === 'true';

function answerChat({ fields }: FakeRequest, reply: AzureReply): Script {
  const options = fields.stream_options;
  const said = { model: servedModel, extra: null, includeUsage: isFields(options) && options.include_usage === true, ...reply };
  if (isStreamed(fields)) return stream(filteredFrames(chatFrames(said)));
  const { choices, ...rest } = chatCompletion(said);
  return json({ ...rest, choices: judged(choices), prompt_filter_results: prompts });
}

/** The first chunk has only the filter's result for the prompt. Chunks with text have the results for that text. */
function filteredFrames(frames: readonly SseEvent[]): SseEvent[] {
  const prelude = { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: prompts };
  return [
    { data: prelude },
    ...frames.map((frame) => {
      const { data } = frame;
      return isFields(data) ? { ...frame, data: { ...data, choices: judged(data.choices) } } : frame;
    }),
  ];
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const judged = (choices: unknown): unknown[] =>
  Array.isArray(choices) ? choices.map((choice) => ({ content_filter_results: verdicts, ...choice })) : [];

function answerResponse({ fields }: FakeRequest, reply: AzureReply): Script {
  const said = { model: servedModel, extra: { content_filters: [{ blocked: false, source_type: 'prompt' }] }, ...reply };
  return isStreamed(fields) ? stream(responseFrames(said)) : json(response(said));
}
