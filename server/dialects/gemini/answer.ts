/** Reads the parts of a Gemini answer; a complete response and a piece of a streamed one have the same form. */

import { type CallCode, CLOSED_EARLY, GatewayError } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readEnvelope, readErrorBody, readWait } from '../failure.ts';
import { asError, openObject, openObjectStream } from '../non-openai/answers.ts';
import { unwrapInput } from '../non-openai/items.ts';
import { type FlatToolNames, flatToolNames, packReasoning, shortHash } from '../turn/tools.ts';
import type { FinishReason, Logprob, Turn, TurnEvent, TurnStreamReader, UpstreamDialect } from '../turn/turn.ts';
import { readCount, type Usage } from '../usage.ts';
import { asksInWords, MAX_TOOL_NAME, markId, PROVIDER, type Signed, writeRequest } from './request.ts';

interface Calls {
  readonly names: FlatToolNames;
  readonly turn: Turn;
  /** The upstream's own ID of this response. */
  responseId: string;
  made: number;
  /** Whether a part that can't be forwarded was already reported to the caller. */
  hasToldLoss: boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function readCandidate(candidate: Fields, calls: Calls): TurnEvent[] {
  const content = isFields(candidate.content) ? candidate.content : {};
  const parts = Array.isArray(content.parts) ? content.parts.filter(isFields) : [];
  return withLogprobs(
    parts.flatMap((part) => readPart(part, calls)),
    readLogprobs(candidate.logprobsResult),
  );
}

function readPart(part: Fields, calls: Calls): TurnEvent[] {
  if (isFields(part.functionCall)) return [...readSignature(part, 'call'), ...readCall(part.functionCall, calls)];
  if (part.thought !== true && (isFields(part.inlineData) || isFields(part.fileData)))
    return [...reportUnsupportedMedia(part, calls), ...readSignature(part, 'text')];
  const said = text(part.text);
  if (part.thought === true)
    return [...(said === '' ? [] : [{ kind: 'reasoning', part: 0, text: said } as const]), ...readSignature(part, 'thought')];
  return [...(said === '' ? [] : [{ kind: 'text', text: said } as const]), ...readSignature(part, 'text')];
}

/** An image or file as a response has no place in text: the caller reads that alongside the text, once, instead of an empty answer. */
function reportUnsupportedMedia({ inlineData, fileData }: Fields, calls: Calls): TurnEvent[] {
  if (calls.hasToldLoss) return [];
  calls.hasToldLoss = true;
  const data = isFields(inlineData) ? inlineData : fileData;
  const type = isFields(data)
    ? text(data.mimeType)
        .slice(0, 64)
        .replace(/[^\w.+/-]/g, '?')
    : '';
  return [{ kind: 'refusal', text: `The model returned data of type '${type || 'unknown'}', which the gateway can't forward.` }];
}

/** A part's signature as an event; for a call it comes before the call, like the reasoning that led to it. */
function readSignature(part: Fields, on: Signed['on']): TurnEvent[] {
  const signature = text(part.thoughtSignature);
  const signed: Signed = { provider: PROVIDER, on, signature, length: text(part.text).length };
  return signature === '' ? [] : [{ kind: 'encrypted', encrypted: packReasoning(PROVIDER, signed) }];
}

function readCall(call: Fields, calls: Calls): TurnEvent[] {
  const index = calls.made++;
  const tool = calls.names.fromWire(text(call.name));
  const json = JSON.stringify(isFields(call.args) ? call.args : {});
  const callId = markId(text(call.id)) || makeId([calls.responseId, calls.turn.items.length, index, call.name, json]);
  return [
    { kind: 'call', index, callId, ...tool },
    { kind: 'arguments', index, text: tool.form === 'custom' ? unwrapInput(json) : json },
  ];
}

/** The same response gives the same ID; another response, or a later turn of the same chain, gives another. */
function makeId(seed: readonly unknown[]): string {
  const told = JSON.stringify(seed);
  return `call_${shortHash(told)}${shortHash(`${told}!`)}`;
}

/** The list speaks of the whole piece; it goes with the first text in it. */
function withLogprobs(events: TurnEvent[], logprobs: readonly Logprob[]): TurnEvent[] {
  const first = logprobs.length === 0 ? -1 : events.findIndex(({ kind }) => kind === 'text');
  const event = events[first];
  return event?.kind === 'text' ? events.with(first, { ...event, logprobs }) : events;
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

function readLogprobs(result: unknown): Logprob[] {
  if (!isFields(result)) return [];
  const tops = listOf(result.topCandidates);
  return listOf(result.chosenCandidates).map((chosen, index) => ({
    ...readToken(chosen),
    top: listOf(tops[index]?.candidates).map(readToken),
  }));
}

const readToken = ({ token, logProbability }: Fields) => ({
  token: text(token),
  logprob: typeof logProbability === 'number' ? logProbability : 0,
  bytes: null,
});

const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  LANGUAGE: 'content_filter',
  MODEL_ARMOR: 'content_filter',
  // Mistakes of the model: the response has ended, and asking again would be billed again.
  MALFORMED_FUNCTION_CALL: 'stop',
  UNEXPECTED_TOOL_CALL: 'stop',
  TOO_MANY_TOOL_CALLS: 'stop',
};

/** Null for what is a failure of the upstream, unknown reasons among them: a response must not look complete that can't be. */
function readReason(reason: string, hasCalls: boolean): FinishReason | null {
  if (reason.startsWith('IMAGE_')) return 'content_filter';
  const known = Object.hasOwn(reasons, reason) ? (reasons[reason] ?? null) : null;
  return known === 'stop' && hasCalls ? 'tool_calls' : known;
}

const counts = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount'] as const;

/** Gemini counts reasoning apart from the output; here it is part of the output. On Vertex AI, all pieces but the last name the kind of traffic alone: that isn't usage. */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value) || counts.every((name) => value[name] === undefined)) return null;
  const reasoning = readCount(value.thoughtsTokenCount);
  return {
    input: readCount(value.promptTokenCount) + readCount(value.toolUsePromptTokenCount),
    cached: readCount(value.cachedContentTokenCount),
    output: readCount(value.candidatesTokenCount) + reasoning,
    reasoning,
  };
}

interface State {
  readonly calls: Calls;
  hasBegun: boolean;
  usage: Usage | null;
  isComplete: boolean;
}

function openStream(turn: Turn): TurnStreamReader {
  const names = flatToolNames(turn.tools, MAX_TOOL_NAME);
  const state: State = {
    calls: { names, turn, responseId: '', made: 0, hasToldLoss: false },
    hasBegun: false,
    usage: null,
    isComplete: false,
  };
  return {
    read: (data) => (state.isComplete ? [] : readPiece(data, state)),
    end: () => (state.isComplete ? [] : fail(state, CLOSED_EARLY)),
    get isComplete() {
      return state.isComplete;
    },
  };
}

/** Throws where a complete response is none. */
function readWhole(answer: Fields, turn: Turn): TurnEvent[] {
  const reader = openStream(turn);
  const events = [...reader.read(answer, null), ...reader.end()];
  const failed = events.find((event) => event.kind === 'failed');
  if (failed) throw failed.error;
  return events;
}

function readPiece(data: Fields, state: State): TurnEvent[] {
  if (isFields(data.error)) return fail(state, readInnerFailure(data));
  if (typeof data.responseId === 'string') state.calls.responseId = data.responseId;
  const [candidate] = Array.isArray(data.candidates) ? data.candidates : [];
  const body = isFields(candidate) ? readCandidate(candidate, state.calls) : [];
  return [...begin(state), ...body, ...countUsage(data.usageMetadata, state), ...readEnd(data, candidate, state)];
}

function begin(state: State): TurnEvent[] {
  if (state.hasBegun) return [];
  state.hasBegun = true;
  return [{ kind: 'start' }];
}

/** Each count replaces the one before it. */
function countUsage(value: unknown, state: State): TurnEvent[] {
  const usage = readUsage(value);
  if (usage === null || isSame(usage, state.usage)) return [];
  state.usage = usage;
  return [{ kind: 'usage', usage }];
}

const isSame = (one: Usage, other: Usage | null): boolean => JSON.stringify(one) === JSON.stringify(other);

function readEnd(data: Fields, candidate: unknown, state: State): TurnEvent[] {
  if (isFields(candidate)) return typeof candidate.finishReason === 'string' ? finish(candidate.finishReason, state) : [];
  // A prompt that was rejected has no candidates at all.
  const isBlocked = isFields(data.promptFeedback) && typeof data.promptFeedback.blockReason === 'string';
  return isBlocked ? finish('PROHIBITED_CONTENT', state) : [];
}

function finish(finishReason: string, state: State): TurnEvent[] {
  const reason = readReason(finishReason, state.calls.made > 0);
  if (reason === null) return fail(state, "The upstream couldn't complete the response.", finishReason);
  state.isComplete = true;
  return [{ kind: 'finish', reason }];
}

function fail(state: State, what: string | GatewayError, finishReason?: string): TurnEvent[] {
  state.isComplete = true;
  const cause = finishReason === undefined ? undefined : new Error(`finish reason ${finishReason.slice(0, 64)}`);
  const error = typeof what === 'string' ? new GatewayError<CallCode>('upstream_error', { message: what, cause }) : what;
  return [{ kind: 'failed', error }];
}

/** A response with a status that isn't 2xx. */
export function readGeminiFailure(status: number, body: string, retryAfter: string | undefined): GatewayError {
  return readError(status, readErrorBody(body), readWait(retryAfter));
}

/** An error object inside a response or a stream that began with status 200; it holds its own status. */
function readInnerFailure(value: unknown): GatewayError {
  const error = readEnvelope(value);
  return readError(typeof error.code === 'number' ? error.code : 500, error, null);
}

function readError(status: number, error: Fields, waitSeconds: number | null): GatewayError {
  return asError({
    // A key that isn't valid comes as 400, with this reason in its details.
    status: isAboutKey(error) ? 401 : status,
    type: typeof error.status === 'string' ? error.status : null,
    message: typeof error.message === 'string' ? error.message : '',
    waitSeconds: waitSeconds ?? retryDelay(error),
  });
}

const detailsOf = (error: Fields): Fields[] => (Array.isArray(error.details) ? error.details.filter(isFields) : []);

const isAboutKey = (error: Fields): boolean =>
  detailsOf(error).some(({ reason }) => typeof reason === 'string' && /^API_KEY_/.test(reason));

/** `RetryInfo` says it as `34s` or `0.5s`. */
function retryDelay(error: Fields): number | null {
  const delay = detailsOf(error).find(({ retryDelay }) => typeof retryDelay === 'string')?.retryDelay;
  return readWait(/^([\d.]+)s$/.exec(String(delay))?.[1]);
}

export const geminiUpstream: UpstreamDialect = {
  path: ({ model, stream }) => `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  writeRequest,
  readWhole: (answer, turn) => (asksInWords(turn) ? openObject()(readWhole(answer, turn)) : readWhole(answer, turn)),
  openStream: (turn) => (asksInWords(turn) ? openObjectStream(openStream(turn)) : openStream(turn)),
};
