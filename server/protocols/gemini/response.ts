/** Reads the parts, usage, and finish reason of a Gemini response. A complete response and a piece of a stream have the same form. */

import { type Fields, isFields, type Unchecked } from '../../primitives/fields.ts';
import type { CanonicalEvent, FinishReason, Logprob } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { unwrapCustomInput } from '../canonical/custom-input.ts';
import type { FlatToolNames } from '../canonical/flat-tool-names.ts';
import { packReasoning } from '../canonical/packed-reasoning.ts';
import { toShortHash } from '../canonical/short-hash.ts';
import { readCount, toOptionalCount, type Usage } from '../usage.ts';
import {
  type Candidate,
  type Content,
  type FunctionCall,
  type LogprobsCandidate,
  type LogprobsResult,
  type ModalityTokenCount,
  type Part,
  PROVIDER,
  type SignedPart,
  type TopCandidates,
  toMarkedId,
  type UsageMetadata,
} from './wire.ts';

export interface CallState {
  readonly names: FlatToolNames;
  readonly turn: CanonicalRequest;
  /** The upstream's ID of this response. */
  responseId: string;
  made: number;
  /** True if the caller was already notified about a part that can't be forwarded. */
  hasReportedLoss: boolean;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

export function readCandidate(candidate: Unchecked<Candidate>, calls: CallState): CanonicalEvent[] {
  const content: Unchecked<Content> = isFields(candidate.content) ? candidate.content : {};
  return withLogprobs(
    toFieldsList(content.parts).flatMap((part) => readPart(part, calls)),
    isFields(candidate.logprobsResult) ? readLogprobs(candidate.logprobsResult) : [],
  );
}

function readPart(part: Unchecked<Part>, calls: CallState): CanonicalEvent[] {
  if (isFields(part.functionCall)) return [...readSignature(part, 'call'), ...readCall(part.functionCall, calls)];
  if (part.thought !== true && (isFields(part.inlineData) || isFields(part.fileData)))
    return [...reportUnsupportedMedia(part, calls), ...readSignature(part, 'text')];
  const text = toText(part.text);
  if (part.thought === true)
    return [...(text === '' ? [] : [{ kind: 'reasoning', part: 0, text } as const]), ...readSignature(part, 'thought')];
  return [...(text === '' ? [] : [{ kind: 'text', text } as const]), ...readSignature(part, 'text')];
}

/** A text response can't contain an image or file. The caller gets one note about it instead of an empty response. */
function reportUnsupportedMedia({ inlineData, fileData }: Unchecked<Part>, calls: CallState): CanonicalEvent[] {
  if (calls.hasReportedLoss) return [];
  calls.hasReportedLoss = true;
  const data = isFields(inlineData) ? inlineData : fileData;
  const type = isFields(data)
    ? toText(data.mimeType)
        .slice(0, 64)
        .replace(/[^\w.+/-]/g, '?')
    : '';
  return [{ kind: 'refusal', text: `The model returned data of type '${type || 'unknown'}', which the gateway can't forward.` }];
}

/** Converts a part's signature to an event. The event precedes its call, like the reasoning that led to the call. */
function readSignature(part: Unchecked<Part>, on: SignedPart['on']): CanonicalEvent[] {
  const signature = toText(part.thoughtSignature);
  const signed: SignedPart = { provider: PROVIDER, on, signature, length: toText(part.text).length };
  return signature === '' ? [] : [{ kind: 'encrypted', encrypted: packReasoning(PROVIDER, signed) }];
}

function readCall(call: Unchecked<FunctionCall>, calls: CallState): CanonicalEvent[] {
  const index = calls.made++;
  const tool = calls.names.fromWire(toText(call.name));
  const json = JSON.stringify(isFields(call.args) ? call.args : {});
  const callId = toMarkedId(toText(call.id)) || createCallId([calls.responseId, calls.turn.items.length, index, call.name, json]);
  return [
    { kind: 'call', index, callId, ...tool },
    { kind: 'arguments', index, text: tool.form === 'custom' ? unwrapCustomInput(json) : json },
  ];
}

/** Deterministic per response. Another response, or a later turn of the same conversation, gets a different ID. */
function createCallId(seed: readonly unknown[]): string {
  const seedText = JSON.stringify(seed);
  return `call_${toShortHash(seedText)}${toShortHash(`${seedText}!`)}`;
}

/** The log probabilities cover the entire chunk. They're attached to its first text event. */
function withLogprobs(events: CanonicalEvent[], logprobs: readonly Logprob[]): CanonicalEvent[] {
  const first = logprobs.length === 0 ? -1 : events.findIndex(({ kind }) => kind === 'text');
  const event = events[first];
  return event?.kind === 'text' ? events.with(first, { ...event, logprobs }) : events;
}

const toFieldsList = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

function readLogprobs({ chosenCandidates, topCandidates }: Unchecked<LogprobsResult>): Logprob[] {
  const tops: Unchecked<TopCandidates>[] = toFieldsList(topCandidates);
  return toFieldsList(chosenCandidates).map((chosen, index) => ({
    ...readToken(chosen),
    top: toFieldsList(tops[index]?.candidates).map(readToken),
  }));
}

const readToken = ({ token, logProbability }: Unchecked<LogprobsCandidate>) => ({
  token: toText(token),
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
};

/** Null if the reason means an upstream failure, including unknown reasons, because the response must not look complete. */
export function readGeminiReason(reason: string, hasCalls: boolean): FinishReason | null {
  if (reason.startsWith('IMAGE_')) return 'content_filter';
  const finishReason = Object.hasOwn(reasons, reason) ? (reasons[reason] ?? null) : null;
  return finishReason === 'stop' && hasCalls ? 'tool_calls' : finishReason;
}

const countFields = [
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
] as const satisfies (keyof UsageMetadata)[];

/**
 * Gemini counts reasoning separately from the output. Here, it's part of the output. Vertex AI's earlier chunks contain only the traffic type,
 * which isn't usage.
 */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const metadata: Unchecked<UsageMetadata> = value;
  if (countFields.every((name) => metadata[name] === undefined)) return null;
  const reasoning = readCount(metadata.thoughtsTokenCount);
  return {
    input: readCount(metadata.promptTokenCount) + readCount(metadata.toolUsePromptTokenCount),
    cached: readCount(metadata.cachedContentTokenCount),
    ...toOptionalCount('imageInput', countTokens(metadata.promptTokensDetails, 'IMAGE')),
    ...toOptionalCount('audioInput', countTokens(metadata.promptTokensDetails, 'AUDIO')),
    output: readCount(metadata.candidatesTokenCount) + reasoning,
    reasoning,
    ...toOptionalCount('imageOutput', countTokens(metadata.candidatesTokensDetails, 'IMAGE')),
    ...toOptionalCount('audioOutput', countTokens(metadata.candidatesTokensDetails, 'AUDIO')),
  };
}

const countTokens = (details: unknown, modality: 'IMAGE' | 'AUDIO'): number =>
  toFieldsList(details)
    .filter((each: Unchecked<ModalityTokenCount>) => each.modality === modality)
    .reduce((total, { tokenCount }: Unchecked<ModalityTokenCount>) => total + readCount(tokenCount), 0);
