/** Imitates Google Vertex AI with Gemini, Claude and the OpenAI-compatible endpoint. Checks tokens, projects, locations, paths and bodies strictly. */
import { type AnthropicReply, anthropicFrames, anthropicMessage } from './anthropic.ts';
import { chatCompletion, chatFrames } from './chat.ts';
import { json, stream } from './delivery.ts';
import type { FakeRequest } from './exchange.ts';
import type { SseEvent } from './frames.ts';
import { type GeminiReply, geminiAnswer, geminiError, geminiFrames } from './gemini.ts';
import type { Script } from './script.ts';

export interface VertexRules {
  /** Whether an access token is valid now. */
  readonly isGood: (token: string) => boolean;
  /** The key of express mode. */
  readonly key?: string;
  readonly project: string;
  readonly location: string;
  /** Models by publisher; `endpoints`: tuned models. */
  readonly models: Readonly<Record<'google' | 'anthropic' | 'openapi' | 'endpoints', readonly string[]>>;
}

/** The answers of the models, each in its format. */
export interface VertexReply {
  readonly gemini?: GeminiReply;
  readonly claude?: AnthropicReply;
}

type Fields = Readonly<Record<string, unknown>>;
interface Asked {
  readonly request: FakeRequest;
  readonly rules: VertexRules;
  readonly reply: VertexReply;
}

/** The OpenAI-compatible endpoint sends an error as a list with one entry. */
export const vertexFailure = (code: number, status: string, message: string, isListed = false): Script => {
  const error = geminiError(code, status, message);
  return json(isListed ? [error] : error, { status: code });
};

const unauthenticated = vertexFailure(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
const denied = vertexFailure(403, 'PERMISSION_DENIED', "Permission 'aiplatform.endpoints.predict' denied on resource.");
const notFound = vertexFailure(404, 'NOT_FOUND', 'Publisher Model was not found or your project does not have access to it.');
const badBody = (words: string): Script => vertexFailure(400, 'INVALID_ARGUMENT', words);

export const vertex =
  (rules: VertexRules, reply: VertexReply = {}) =>
  (request: FakeRequest): Script => {
    if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json') return notFound;
    const key = request.headers['x-goog-api-key'];
    if (request.headers['x-api-key'] !== undefined) return unauthenticated;
    if (key !== undefined) return express({ request, rules, reply }, key);
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined || !rules.isGood(token)) return unauthenticated;
    const [, project, location, rest = ''] = /^\/v1\/projects\/([^/]+)\/locations\/([^/]+)(\/.*)$/.exec(request.path) ?? [];
    if (project !== rules.project) return denied;
    return location === rules.location ? answerAt(rest, { request, rules, reply }) : notFound;
  };

/** Express mode serves only Gemini, without a project in the path. */
function express(asked: Asked, key: string | readonly string[]): Script {
  const { request, rules } = asked;
  if (key !== rules.key || request.headers.authorization !== undefined) return unauthenticated;
  const rest = /^\/v1(\/publishers\/google\/.*)$/.exec(request.path)?.[1];
  return rest === undefined ? denied : answerAt(rest, asked);
}

function answerAt(rest: string, asked: Asked): Script {
  const { models } = asked.rules;
  if (rest === '/endpoints/openapi/chat/completions') return answerChat(asked);
  const [, publisher, endpoint, method = ''] = /^\/(?:publishers\/(\w+)\/models|endpoints)\/([^/]+):(\w+)$/.exec(rest) ?? [];
  if (publisher === 'anthropic') return models.anthropic.includes(endpoint ?? '') ? answerClaude(method, asked) : notFound;
  const known = publisher === 'google' ? models.google : publisher === undefined ? models.endpoints : [];
  return known.includes(endpoint ?? '') ? answerGemini(method, asked) : notFound;
}

const topFields = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig']);

function answerGemini(method: string, { request, reply: { gemini } }: Asked): Script {
  const strange = Object.keys(request.fields).find((name) => !topFields.has(name));
  if (strange !== undefined) return badBody(`Invalid JSON payload received. Unknown name "${strange}": Cannot find field.`);
  const extra = { trafficType: 'ON_DEMAND' };
  const usage = { promptTokenCount: 9, candidatesTokenCount: 5, thoughtsTokenCount: 2, totalTokenCount: 16, ...extra };
  const said = { usage, ...gemini };
  if (method === 'generateContent' && request.url === request.path) return json(geminiAnswer(said));
  if (method === 'streamGenerateContent' && request.query.get('alt') === 'sse')
    return stream(lateUsage(geminiFrames(said)), { lineEnd: '\r\n' });
  return notFound;
}

/** Only the last piece has token counts. `as`: each frame of these answers is a JSON object. */
const lateUsage = (frames: readonly SseEvent[]): SseEvent[] =>
  frames.map((frame, at) =>
    at === frames.length - 1 ? frame : { ...frame, data: { ...(frame.data as Fields), usageMetadata: { trafficType: 'ON_DEMAND' } } },
  );

/** Checks that the method and the body agree on streaming. */
function answerClaude(method: string, { request: { fields, url, path, headers }, reply: { claude } }: Asked): Script {
  const wrong = (message: string): Script => json({ type: 'error', error: { type: 'invalid_request_error', message } }, { status: 400 });
  if (url !== path) return notFound;
  if (fields.model !== undefined) return wrong('model: Extra inputs are not permitted');
  if (fields.anthropic_version !== 'vertex-2023-10-16') return wrong('anthropic_version: Field required');
  if (typeof fields.max_tokens !== 'number' || !Array.isArray(fields.messages)) return wrong('messages: Field required');
  if (headers['x-goog-api-key'] !== undefined) return unauthenticated;
  const said = { model: 'claude-sonnet-4-5-20250929', ...claude };
  if (method === 'rawPredict' && fields.stream !== true) return json(anthropicMessage(said));
  return method === 'streamRawPredict' && fields.stream === true
    ? stream(anthropicFrames(said))
    : wrong('stream: Input should be a valid boolean');
}

function answerChat({ request: { fields }, rules }: Asked): Script {
  if (!rules.models.openapi.includes(String(fields.model))) return vertexFailure(404, 'NOT_FOUND', 'The model is not found.', true);
  const said = { model: String(fields.model), extra: null, includeUsage: true } satisfies Fields;
  return fields.stream === true ? stream(chatFrames(said)) : json(chatCompletion(said));
}
