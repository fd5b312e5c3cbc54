/** One row for each protocol of text upstreams: its dialect, its error reader, and what it can do. */

import type { GatewayError } from '../errors.ts';
import { type Fields, isSet } from '../primitives/fields.ts';
import { anthropicUpstream, readAnthropicFailure } from './anthropic/answer.ts';
import { rejectAddresses, writeRequest as writeAnthropicRequest } from './anthropic/write-request.ts';
import { type ChatQuirks, quirkedUpstream } from './chat/quirks.ts';
import { chatUpstream } from './chat/read-answer.ts';
import { converseUpstream, readConverseFailure } from './converse/answer.ts';
import { leftOut as leftOutOfConverse, writeRequest as writeConverseRequest } from './converse/request.ts';
import { readFailureStatus } from './failure.ts';
import { geminiUpstream, readGeminiFailure } from './gemini/answer.ts';
import { responsesUpstream } from './responses/read-answer.ts';
import type { UpstreamProtocol } from './turn/caller-field-names.ts';
import { unusedCacheOptions } from './turn/prompt-cache.ts';
import type { UpstreamDialect } from './turn/turn.ts';

/** The settings of a model that its dialect needs. */
interface Spoken {
  readonly quirks?: ChatQuirks | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Its place fetches no addresses of images and files. */
  readonly inlineOnly?: boolean | undefined;
  /** Prompts are marked for the cache although their caller marked nothing. */
  readonly isCached?: boolean | undefined;
}

interface InputCounter {
  /** Appended to the base URL. */
  path(model: string): string;
  /** `written`: the body of the request itself. */
  body(written: Fields, model: string): Fields;
  /** The field of the response. */
  readonly field: string;
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (isSet(fields[name]) ? [[name, fields[name]]] : [])));

const counted = ['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'text', 'truncation'];

interface UpstreamSide {
  /** Our operation with this protocol; absent for a foreign protocol. */
  readonly operation?: 'createChatCompletion' | 'createResponse';
  dialect(model: Spoken): UpstreamDialect;
  /** Translates a response whose status isn't 2xx. */
  readFailure(status: number, start: string, retryAfter: string | undefined, kind?: string): GatewayError;
  /** How its upstreams count the input of a request without making it; absent: they don't. */
  readonly counter?: InputCounter;
  /** Whether its upstreams run the tools that a request offers. */
  readonly runsTools: boolean;
  /** Whether a request can forbid parallel calls of tools. */
  readonly limitsCalls: boolean;
}

/** Chat with `store: false`; otherwise the upstream may keep the request. */
const forgetful: UpstreamDialect = {
  ...chatUpstream,
  writeRequest: (turn, work) => ({ ...chatUpstream.writeRequest(turn, work), store: false }),
};

export const upstreamSides: Readonly<Record<UpstreamProtocol, UpstreamSide>> = {
  chat: {
    operation: 'createChatCompletion',
    dialect: ({ quirks }) => (quirks ? quirkedUpstream(quirks) : forgetful),
    readFailure: readFailureStatus,
    runsTools: false,
    limitsCalls: true,
  },
  responses: {
    operation: 'createResponse',
    dialect: () => responsesUpstream,
    readFailure: readFailureStatus,
    counter: { path: () => '/responses/input_tokens', body: (written) => pick(written, counted), field: 'input_tokens' },
    runsTools: true,
    limitsCalls: true,
  },
  anthropic: {
    dialect: ({ maxOutputTokens, inlineOnly = false, isCached = false }) => ({
      ...anthropicUpstream,
      leftOut: (turn) => unusedCacheOptions(turn, isCached),
      writeRequest(turn, work) {
        if (inlineOnly) rejectAddresses(turn);
        return writeAnthropicRequest(turn, { maxTokens: maxOutputTokens, isCached, work });
      },
    }),
    readFailure: readAnthropicFailure,
    counter: {
      path: () => '/messages/count_tokens',
      body: (written) => pick(written, ['model', 'system', 'messages', 'tools', 'tool_choice', 'thinking']),
      field: 'input_tokens',
    },
    runsTools: false,
    limitsCalls: true,
  },
  gemini: {
    dialect: () => geminiUpstream,
    readFailure: readGeminiFailure,
    counter: {
      path: (model) => `/models/${encodeURIComponent(model)}:countTokens`,
      body: (written, model) => ({
        generateContentRequest: { model: `models/${model}`, ...pick(written, ['contents', 'systemInstruction', 'tools', 'toolConfig']) },
      }),
      field: 'totalTokens',
    },
    runsTools: false,
    limitsCalls: false,
  },
  converse: {
    dialect: ({ isCached = false }) => ({
      ...converseUpstream,
      leftOut: (turn) => leftOutOfConverse(turn, isCached),
      writeRequest: (turn, work) => writeConverseRequest(turn, work, isCached),
    }),
    readFailure: readConverseFailure,
    runsTools: false,
    limitsCalls: false,
  },
};

export const isSpoken = (protocol: string): protocol is UpstreamProtocol => Object.hasOwn(upstreamSides, protocol);

/** The rows of these protocols; images have none. */
export const sidesOf = (protocols: readonly string[]): readonly UpstreamSide[] =>
  protocols.filter(isSpoken).map((protocol) => upstreamSides[protocol]);
