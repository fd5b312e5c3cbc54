/** Types of Gemini's bodies, as far as this gateway reads or writes them, and the marks of its call IDs. */
import type { Fields } from '../../primitives/fields.ts';
import { MAX_CHAT_CALL_ID, shortenCallId, toCallId } from '../canonical/call-ids.ts';
import { toShortHash } from '../canonical/short-hash.ts';

/** The tag for packed encrypted reasoning. */
export const PROVIDER = 'gemini';

/** Gemini's placeholder for calls that it didn't sign or whose signature is lost. Newer models reject a call without a signature. */
export const UNSIGNED_CALL_PLACEHOLDER = 'skip_thought_signature_validator';

/** An alias, because an interface isn't assignable to the JSON object that a dialect writes. */
export type GenerateContentRequest = {
  readonly systemInstruction?: Content;
  readonly contents: readonly Content[];
  readonly tools?: readonly [{ readonly functionDeclarations: readonly FunctionDeclaration[] }];
  readonly toolConfig?: { readonly functionCallingConfig: FunctionCallingConfig };
  readonly generationConfig?: GenerationConfig;
};

/** `role` is omitted only for instructions. */
export interface Content {
  readonly role?: 'user' | 'model';
  readonly parts: readonly Part[];
}

export interface Part {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
  readonly fileData?: { readonly mimeType: string; readonly fileUri: string };
  readonly functionCall?: FunctionCall;
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response: { readonly result: string } };
}

/** `id` is set only if the provider supplied one. */
export interface FunctionCall {
  readonly id?: string;
  readonly name: string;
  readonly args: Fields;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema: Fields;
}

export interface FunctionCallingConfig {
  readonly mode: 'AUTO' | 'NONE' | 'ANY' | 'VALIDATED';
  readonly allowedFunctionNames?: readonly string[];
}

export interface GenerationConfig {
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly responseLogprobs?: true;
  readonly logprobs?: number;
  readonly responseMimeType?: 'application/json';
  readonly responseJsonSchema?: Fields;
  readonly thinkingConfig?: ThinkingConfig;
}

export interface ThinkingConfig {
  readonly thinkingBudget?: number;
  readonly thinkingLevel?: ThinkingLevel;
  readonly includeThoughts?: true;
}

export type ThinkingLevel = 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH';

/** A complete response, or a piece of a stream. */
export interface GenerateContentResponse {
  readonly responseId: string;
  /** The gateway never requests more than one. */
  readonly candidates?: readonly Candidate[];
  /** Set if the prompt is rejected. There are no candidates then. */
  readonly promptFeedback?: PromptFeedback;
  readonly usageMetadata?: UsageMetadata;
  /** Set instead of everything else if the response fails after it started with status 200. */
  readonly error?: Status;
}

export interface Candidate {
  readonly content?: Content;
  /** Set in the last piece. */
  readonly finishReason?: string;
  readonly logprobsResult?: LogprobsResult;
}

export interface PromptFeedback {
  readonly blockReason?: string;
}

/** Both lists have one entry per token. */
export interface LogprobsResult {
  readonly chosenCandidates: readonly LogprobsCandidate[];
  readonly topCandidates: readonly TopCandidates[];
}

export interface TopCandidates {
  readonly candidates: readonly LogprobsCandidate[];
}

export interface LogprobsCandidate {
  readonly token: string;
  readonly logProbability: number;
}

/** `thoughtsTokenCount` isn't part of `candidatesTokenCount`, and `toolUsePromptTokenCount` isn't part of `promptTokenCount`. */
export interface UsageMetadata {
  readonly promptTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly toolUsePromptTokenCount?: number;
  readonly promptTokensDetails?: readonly ModalityTokenCount[];
  readonly candidatesTokensDetails?: readonly ModalityTokenCount[];
}

export interface ModalityTokenCount {
  readonly modality: string;
  readonly tokenCount: number;
}

/** The `error` of an error body. */
export interface Status {
  /** The HTTP status. */
  readonly code: number;
  readonly message: string;
  /** The name of the status, for example `RESOURCE_EXHAUSTED`. */
  readonly status: string;
  readonly details?: readonly StatusDetail[];
}

/** The fields of `ErrorInfo` and `RetryInfo`. */
export interface StatusDetail {
  readonly reason?: string;
  readonly retryDelay?: string;
}

/** A signature, and the kind of part to send it back on. `length` is the character count of the signed part's text. */
export interface SignedPart {
  readonly provider: typeof PROVIDER;
  readonly on: 'call' | 'text' | 'thought';
  readonly signature: string;
  readonly length: number;
}

/** The caller's ID for a call: the provider's ID plus a marker that identifies it. Empty if the provider sent no ID. */
export function toMarkedId(providerId: string): string {
  const callId = toCallId(providerId);
  const isIdPreserved = providerId !== '' && callId.endsWith(providerId);
  const markedId = isIdPreserved ? `${callId}_${toShortHash(providerId)}` : callId;
  // OpenAI upstreams would reject a longer ID if the caller switches to one. Without its own ID, Gemini matches calls and results by order.
  return shortenCallId(markedId, MAX_CHAT_CALL_ID);
}

/** The provider's original ID. Null if the gateway, a caller, or another provider created the ID. */
export function findProviderCallId(callId: string): string | null {
  const [, callerId = '', providerId = '', idHash] = /^(call_(.+))_([0-9a-f]{8})$/s.exec(callId) ?? [];
  return [callerId, providerId].find((id) => toShortHash(id) === idHash) ?? null;
}
