/** A table of the text protocols of upstreams: the dialect, error reader, and capabilities of each. */

import type { ModelRules } from '../config/model-rules.ts';
import type { GatewayError } from '../primitives/errors.ts';
import { type Fields, isSet } from '../primitives/fields.ts';
import { anthropicDialect } from './anthropic/dialect.ts';
import { readAnthropicFailure } from './anthropic/errors.ts';
import { findDroppedReasoning, rejectUrls, writeRequest as writeAnthropicRequest } from './anthropic/request.ts';
import { findDroppedMarks, findUnusedCacheOptions } from './canonical/prompt-cache.ts';
import { createChatUpstreamDialect } from './chat/dialect.ts';
import { type ChatQuirks, createQuirkDialect } from './chat/quirks.ts';
import { converseDialect } from './converse/dialect.ts';
import { readConverseFailure } from './converse/errors.ts';
import { findDroppedFields as leftOutOfConverse, writeRequest as writeConverseRequest } from './converse/request.ts';
import type { UpstreamDialect, UpstreamProtocol } from './dialect.ts';
import { readFailureStatus } from './errors.ts';
import { geminiDialect } from './gemini/dialect.ts';
import { readGeminiFailure } from './gemini/errors.ts';
import { writeRequest as writeGeminiRequest } from './gemini/request.ts';
import { findDroppedParallelCalls } from './non-openai/callable-tools.ts';
import { getPartPath } from './non-openai/conversation.ts';
import { responsesUpstreamDialect } from './responses/dialect.ts';

/** The model settings that a dialect needs. */
interface DialectSettings {
  readonly upstream: string;
  readonly quirks?: ChatQuirks | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** The cloud that serves the model doesn't fetch URLs of images and files. */
  readonly inlineOnly?: boolean | undefined;
  /** Adds prompt cache marks if the caller sets none. */
  readonly isCached?: boolean | undefined;
  /** True if Vertex AI serves Gemini. */
  readonly isVertex?: boolean | undefined;
  readonly rules?: ModelRules | undefined;
}

interface InputCounter {
  /** The path to append to the base URL. */
  getPath(model: string): string;
  /** `requestBody` is the body of the actual request. */
  toBody(requestBody: Fields, model: string): Fields;
  /** The response field with the count. */
  readonly field: string;
}

const pickFields = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (isSet(fields[name]) ? [[name, fields[name]]] : [])));

const countedFields = ['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'text', 'truncation'];

interface UpstreamProtocolEntry {
  /** The gateway operation that uses this protocol. Omitted for protocols that callers can't use. */
  readonly operation?: 'createChatCompletion' | 'createResponse';
  openDialect(model: DialectSettings): UpstreamDialect;
  /** Translates a response with a status other than 2xx. */
  readFailure(status: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError;
  /** How upstreams count the input tokens of a request in advance. Omitted if they can't. */
  readonly counter?: InputCounter;
  /** True if upstreams run hosted tools. */
  readonly runsTools: boolean;
  /** True if a request can forbid parallel tool calls. */
  readonly limitsCalls: boolean;
}

/** Providers of OpenAI's protocols accept every effort and tool choice, and map them themselves. */
const toSamplingRules = (rules: ModelRules | undefined): ModelRules | undefined => rules?.unsupported && { unsupported: rules.unsupported };

/** Chat with `store: false`, because the upstream could keep the request otherwise. */
const createStorelessDialect = (upstream: string): UpstreamDialect => {
  const dialect = createChatUpstreamDialect(upstream);
  return { ...dialect, writeRequest: (turn, work) => ({ ...dialect.writeRequest(turn, work), store: false }) };
};

export const upstreamProtocols: Readonly<Record<UpstreamProtocol, UpstreamProtocolEntry>> = {
  chat: {
    operation: 'createChatCompletion',
    openDialect: ({ upstream, quirks, rules }) => ({
      ...(quirks ? createQuirkDialect(quirks, upstream) : createStorelessDialect(upstream)),
      rules: toSamplingRules(rules),
    }),
    readFailure: readFailureStatus,
    runsTools: false,
    limitsCalls: true,
  },
  responses: {
    operation: 'createResponse',
    openDialect: () => responsesUpstreamDialect,
    readFailure: readFailureStatus,
    counter: { getPath: () => '/responses/input_tokens', toBody: (written) => pickFields(written, countedFields), field: 'input_tokens' },
    runsTools: true,
    limitsCalls: true,
  },
  anthropic: {
    openDialect: ({ maxOutputTokens: maxTokens, inlineOnly = false, isCached: isAutoCached = false, rules }) => ({
      ...anthropicDialect,
      rules,
      findDroppedFields: (turn) => [
        ...findUnusedCacheOptions(turn, isAutoCached),
        ...findDroppedMarks(turn, getPartPath),
        ...findDroppedReasoning(turn, { maxTokens, rules }),
      ],
      writeRequest(turn, work) {
        if (inlineOnly) rejectUrls(turn);
        return writeAnthropicRequest(turn, { maxTokens, isCached: isAutoCached, rules, work });
      },
    }),
    readFailure: readAnthropicFailure,
    counter: {
      getPath: () => '/messages/count_tokens',
      toBody: (written) => pickFields(written, ['model', 'system', 'messages', 'tools', 'tool_choice', 'thinking']),
      field: 'input_tokens',
    },
    runsTools: false,
    limitsCalls: true,
  },
  gemini: {
    openDialect: ({ isVertex, rules }) => ({
      ...geminiDialect,
      rules,
      findDroppedFields: findDroppedParallelCalls,
      writeRequest: (turn, work) => writeGeminiRequest(turn, { work, rules, isVertex }),
    }),
    readFailure: readGeminiFailure,
    counter: {
      getPath: (model) => `/models/${encodeURIComponent(model)}:countTokens`,
      toBody: (written, model) => ({
        generateContentRequest: {
          model: `models/${model}`,
          ...pickFields(written, ['contents', 'systemInstruction', 'tools', 'toolConfig']),
        },
      }),
      field: 'totalTokens',
    },
    runsTools: false,
    limitsCalls: false,
  },
  converse: {
    openDialect: ({ isCached: isAutoCached = false, rules }) => ({
      ...converseDialect,
      rules,
      findDroppedFields: (turn) => leftOutOfConverse(turn, isAutoCached),
      writeRequest: (turn, work) => writeConverseRequest(turn, work, isAutoCached),
    }),
    readFailure: readConverseFailure,
    runsTools: false,
    limitsCalls: false,
  },
};

export const isUpstreamProtocol = (protocol: string): protocol is UpstreamProtocol => Object.hasOwn(upstreamProtocols, protocol);

/** The entries for these protocols. Images have no entry. */
export const getUpstreamProtocols = (protocols: readonly string[]): readonly UpstreamProtocolEntry[] =>
  protocols.filter(isUpstreamProtocol).map((protocol) => upstreamProtocols[protocol]);
