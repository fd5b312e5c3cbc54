/** Starts a gateway with one fake vendor for each kind of upstream. Tests describe the vendors' answers independently of the protocol. */

import { anthropicFrames, anthropicMessage } from '../fakes/anthropic.ts';
import { bedrockFailure } from '../fakes/bedrock.ts';
import { chatCompletion, chatFrames, type FakeToolCall } from '../fakes/chat.ts';
import { converseAnswer, converseEvents, converseStream, isConverseStream } from '../fakes/converse.ts';
import { checkConverse } from '../fakes/converse-check.ts';
import { type Delivery, json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import type { Frame, SseEvent } from '../fakes/frames.ts';
import { geminiAnswer, geminiFrames } from '../fakes/gemini.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from './gateway.ts';

export const kinds = ['chat', 'responses', 'anthropic', 'gemini', 'converse'] as const;
export type Kind = (typeof kinds)[number];
export const callers = ['chat', 'responses'] as const;
export type Caller = (typeof callers)[number];

export interface ReplyCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** JSON text, or free text where `custom` is set. */
  readonly input: string;
  readonly custom?: boolean;
}

/** The answer of an upstream, independent of its protocol. */
export interface Reply {
  /** Several pieces become several deltas. */
  readonly text?: string | readonly string[];
  readonly refusal?: string;
  /** Reasoning, signed or encrypted where the vendor supports it. */
  readonly thought?: string;
  readonly calls?: readonly ReplyCall[];
  readonly end?: 'length' | 'filter';
}

export const modelOver = (kind: Kind): string => `over-${kind}`;
export const simulatedOver = (protocol: Caller): string => `simulated-${protocol}`;
/** The models' names at the vendors. */
export const upstreamModels: Readonly<Record<Kind, string>> = {
  chat: 'gpt-fake',
  responses: 'gpt-fake',
  anthropic: 'claude-fake',
  gemini: 'gemini-3-fake',
  converse: 'amazon.nova-2-fake-v1:0',
};

/** The signature or encrypted content that each vendor adds to its reasoning. */
export const seals = {
  responses: 'ZmFrZSByZWFzb25pbmc=',
  anthropic: 'YW50aHJvcGlj',
  gemini: 'Z2VtaW5p',
  converse: 'Y29udmVyc2U=',
} as const;

export interface Pairs {
  readonly gateway: TestGateway;
  readonly fakes: Readonly<Record<Kind, Fake>>;
  /** Queues the answers to the next requests, in order. */
  expectToSay(kind: Kind, ...replies: readonly Reply[]): void;
  /** Restarts the gateway on the same data and vendors. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface PairsOptions {
  /** A data folder that outlives the gateway. */
  readonly data?: string;
  /** More settings, as in modelgate.yaml. */
  readonly settings?: Record<string, unknown>;
}

export async function openPairs({ data, settings: more }: PairsOptions = {}): Promise<Pairs> {
  const fakes = {
    chat: await openFake(),
    responses: await openFake(),
    anthropic: await openFake(),
    gemini: await openFake(),
    converse: await openFake(),
  };
  const settings = { ...settingsOver(fakes), ...more, ...(data !== undefined && { data }) };
  let gateway = await startGateway(settings);
  return {
    get gateway() {
      return gateway;
    },
    fakes,
    expectToSay(kind, ...replies) {
      for (const reply of replies) fakes[kind].next((request) => say(kind, request, reply));
    },
    async restart() {
      await gateway.close();
      gateway = await startGateway(settings);
    },
    async close() {
      await gateway.close();
      for (const kind of kinds) {
        await fakes[kind].close();
        // An unused answer means that the test sent fewer requests than it meant to.
        if (fakes[kind].pending > 0) throw new Error(`${fakes[kind].pending} answers of the ${kind} vendor were not fetched`);
      }
    },
  };
}

/** Drops the scripts and the requests of the test before. */
export const clearFakes = ({ fakes }: Pairs): void => {
  for (const kind of kinds) fakes[kind].clear();
};

function settingsOver(fakes: Pairs['fakes']): Record<string, unknown> {
  const openai = (kind: Caller) => ({ kind: 'openai', baseUrl: fakes[kind].url, apiKey: 'sk-vendor', protocols: [kind] });
  const foreign = (kind: 'anthropic' | 'gemini' | 'converse') => ({ kind, baseUrl: fakes[kind].url, apiKey: 'sk-vendor' });
  const simulator = (kind: Caller) => ({ kind: 'simulator', protocols: [kind], eventDelayMs: 0 });
  return {
    upstreams: {
      chat: openai('chat'),
      responses: openai('responses'),
      anthropic: foreign('anthropic'),
      gemini: foreign('gemini'),
      converse: { ...foreign('converse'), baseUrl: new URL(fakes.converse.url).origin },
      'simulated-chat': simulator('chat'),
      'simulated-responses': simulator('responses'),
    },
    models: [
      ...kinds.map((kind) => ({ id: modelOver(kind), kind: 'text', upstream: kind, upstreamModel: upstreamModels[kind] })),
      ...callers.map((protocol) => ({ id: simulatedOver(protocol), kind: 'text', upstream: simulatedOver(protocol) })),
    ],
  };
}

export function isStreamed(kind: Kind, request: FakeRequest): boolean {
  if (kind === 'converse') return isConverseStream(request);
  return kind === 'gemini' ? request.path.endsWith(':streamGenerateContent') : request.fields.stream === true;
}

/** The reply in the format of a kind of vendor, whole or streamed as the request asks. */
export function say(kind: Kind, request: FakeRequest, reply: Reply, delivery: Delivery = {}): Script {
  const wrong = kind === 'converse' ? checkConverse(request) : null;
  if (wrong !== null) return bedrockFailure(400, 'ValidationException', wrong);
  if (!isStreamed(kind, request)) return json(wholes[kind](reply, request), delivery);
  return streamOver(kind, frames[kind](reply, request), delivery);
}

/** A stream in the framing of a kind of vendor. */
export const streamOver = (kind: Kind, told: readonly Frame[], delivery: Delivery = {}): Script =>
  kind === 'converse' ? converseStream(told, delivery) : stream(told, delivery);

/** The frames of a streamed reply. */
export const framesOf = (kind: Kind, request: FakeRequest, reply: Reply): SseEvent[] => frames[kind](reply, request);

type Fields = Readonly<Record<string, unknown>>;
type Whole = (reply: Reply, request: FakeRequest) => Fields;
type Framed = (reply: Reply, request: FakeRequest) => SseEvent[];

const wholes: Readonly<Record<Kind, Whole>> = {
  chat: (reply, request) => withThought(chatCompletion(chatReply(reply, request)), reply, 'message'),
  responses: (reply, request) => withNamespaces(response(responseReply(reply, request)), reply),
  anthropic: (reply) => anthropicMessage(anthropicReply(reply)),
  gemini: (reply) => geminiAnswer(geminiReply(reply)),
  converse: (reply) => converseAnswer(converseReply(reply)),
};

const frames: Readonly<Record<Kind, Framed>> = {
  chat: (reply, request) => chatStream(reply, request),
  responses: (reply, request) => withNamespaces(responseFrames(responseReply(reply, request)), reply),
  anthropic: (reply) => anthropicFrames(anthropicReply(reply)),
  gemini: (reply) => geminiFrames(geminiReply(reply)),
  converse: (reply) => converseEvents(converseReply(reply)),
};

/** Whether the request offered this tool to the vendor as one with free-text input. */
function isOfferedCustom({ fields }: FakeRequest, name: string): boolean {
  const tools: unknown[] = Array.isArray(fields.tools) ? fields.tools : [];
  return tools.some((tool) => JSON.stringify(tool).includes('"type":"custom"') && JSON.stringify(tool).includes(`"name":"${name}"`));
}

const flatName = ({ namespace, name }: ReplyCall): string => (namespace === undefined ? name : `${namespace}__${name}`);
const wrapped = ({ custom, input }: ReplyCall): string => (custom ? JSON.stringify({ input }) : input);
const halved = (text: string): readonly string[] => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

function flatCalls({ calls }: Reply): FakeToolCall[] {
  return (calls ?? []).map((call) => ({ id: call.id, name: flatName(call), arguments: halved(wrapped(call)) }));
}

function openaiCalls({ calls }: Reply, request: FakeRequest, nameOf: (call: ReplyCall) => string): FakeToolCall[] {
  return (calls ?? []).map((call) =>
    call.custom && isOfferedCustom(request, call.name)
      ? { id: call.id, name: nameOf(call), arguments: halved(call.input), custom: true }
      : { id: call.id, name: nameOf(call), arguments: halved(wrapped(call)) },
  );
}

const said = ({ text, refusal, calls }: Reply) => ({
  ...(text !== undefined ? { text } : refusal !== undefined || calls?.length ? { text: null } : {}),
});
const rejected = ({ refusal }: Reply) => (refusal === undefined ? {} : { refusal });

function chatReply(reply: Reply, request: FakeRequest) {
  const options = request.fields.stream_options;
  const includeUsage = typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true;
  const end = reply.end && { finishReason: reply.end === 'length' ? 'length' : 'content_filter' };
  return { ...said(reply), ...rejected(reply), toolCalls: openaiCalls(reply, request, flatName), includeUsage, ...end };
}

function responseReply(reply: Reply, request: FakeRequest) {
  const end =
    reply.end && ({ status: 'incomplete', incompleteReason: reply.end === 'length' ? 'max_output_tokens' : 'content_filter' } as const);
  const reasoning = reply.thought === undefined ? {} : { reasoning: reply.thought };
  return { ...said(reply), ...rejected(reply), ...reasoning, toolCalls: openaiCalls(reply, request, ({ name }) => name), ...end };
}

function anthropicReply(reply: Reply) {
  const thoughts = reply.thought === undefined ? [] : [{ text: reply.thought, signature: seals.anthropic }];
  const end = reply.end && { stopReason: reply.end === 'length' ? 'max_tokens' : 'refusal' };
  return { ...said(reply), thoughts, toolCalls: flatCalls(reply), ...end };
}

function converseReply(reply: Reply) {
  const thoughts = reply.thought === undefined ? [] : [{ text: reply.thought, signature: seals.converse }];
  const end = reply.end && { stopReason: reply.end === 'length' ? 'max_tokens' : 'content_filtered' };
  return { ...said(reply), thoughts, toolCalls: flatCalls(reply), ...end };
}

function geminiReply(reply: Reply) {
  const signed = reply.thought === undefined ? {} : { signature: seals.gemini };
  const calls = (reply.calls ?? []).map((call, index) => ({
    id: call.id,
    name: flatName(call),
    args: JSON.parse(wrapped(call)),
    ...(index === 0 && signed),
  }));
  const end = reply.end && { finishReason: reply.end === 'length' ? 'MAX_TOKENS' : 'SAFETY' };
  return { ...said(reply), ...(reply.thought !== undefined && { thoughts: reply.thought }), calls, ...end };
}

/** Chat has no field for reasoning; vendors add one of their own. */
function withThought(answer: Fields, { thought }: Reply, place: 'message' | 'delta'): Fields {
  if (thought === undefined) return answer;
  const text = JSON.stringify(answer).replace(`"${place}":{`, `"${place}":{"reasoning_content":${JSON.stringify(thought)},`);
  return JSON.parse(text);
}

function chatStream(reply: Reply, request: FakeRequest): SseEvent[] {
  const [first, ...rest] = chatFrames({ ...chatReply(reply, request), extra: null });
  if (first === undefined || reply.thought === undefined) return first === undefined ? [] : [first, ...rest];
  // Each chat frame is an object.
  return [first, { data: withThought(first.data as Fields, reply, 'delta') }, ...rest];
}

/** A call in the form of the fake vendor, which has no namespaces. */
function withNamespaces<T>(told: T, { calls }: Reply): T {
  const named = (calls ?? []).filter(({ namespace }) => namespace !== undefined);
  if (named.length === 0) return told;
  const text = named.reduce(
    (whole, { id, namespace }) => whole.replaceAll(`"call_id":"${id}",`, `"call_id":"${id}","namespace":"${namespace}",`),
    JSON.stringify(told),
  );
  return JSON.parse(text);
}
