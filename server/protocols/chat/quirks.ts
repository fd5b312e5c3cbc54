/** How a provider of chat completions differs from OpenAI, as changes to a body. A change that would alter the response is rejected, by the caller's name of the field. */

import type { GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import { createMistralIdChanges } from '../canonical/call-ids.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { createUnsupportedError, filterRequested, hasNoEffect } from '../canonical/dropped-fields.ts';
import { dedupeTools } from '../canonical/flat-tool-names.ts';
import { sharedHints } from '../canonical/hints.ts';
import type { UpstreamDialect } from '../dialect.ts';
import { withoutParsedFields } from '../parsed-fields.ts';
import type { Relay } from '../relay.ts';
import { type Changes, withFields } from '../wire/json-body.ts';
import type { AcceptedValues } from './accepted-values.ts';
import { readChatResponse } from './read-response.ts';
import { readChatStream } from './read-stream.ts';
import { moveReasoning, type ReasoningFormat } from './reasoning-parts.ts';
import { chatRelay, createChatChanges } from './relay.ts';
import { writeChatRequest } from './write-request.ts';

export interface ChatQuirks {
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  readonly seedField: 'seed' | 'random_seed';
  readonly developerRole: boolean;
  readonly streamUsage: boolean;
  readonly structuredOutput: 'schema' | 'json' | 'none';
  readonly parallelToolCalls: boolean;
  readonly strictTools: boolean;
  readonly reasoningEffort: 'send' | 'ignore' | 'reject';
  readonly reasoningField?: string | undefined;
  readonly sendReasoningBack: boolean;
  readonly reasoningObject: boolean;
  readonly thinkingParts: boolean;
  /** Whether the provider accepts hints, or the list of accepted hints. */
  readonly hints: boolean | readonly string[];
  readonly unsupported: readonly string[];
  readonly accepts?: AcceptedValues | undefined;
}

/** The caller's names of fields that can be rejected. */
interface FieldNames {
  readonly format: string;
  readonly effort: string;
  readonly logprobs: string;
  /** The path of the tool at this index. */
  getToolPath(index: number): string;
}

type Quirk = (body: Fields, quirks: ChatQuirks, fieldNames: FieldNames) => Changes;

const createNoEquivalentError = (param: string): GatewayError =>
  createUnsupportedError(param, `'${param}' is not supported: this model's upstream has no equivalent.`);

const renameField = (body: Fields, from: string, to: string): Changes =>
  from !== to && isSet(body[from]) ? { [from]: undefined, [to]: body[from] } : {};

const removeFields = (body: Fields, names: readonly string[]): Changes =>
  Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, undefined]));

const adaptLimit: Quirk = (body, { maxTokensField }) =>
  renameField(body, maxTokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens', maxTokensField);

/** Maps the provider's names of renamed fields to the caller's names. */
export function getCallerNames(body: Fields, { maxTokensField, seedField }: ChatQuirks): ReadonlyMap<string, string> {
  const limitField = isSet(body.max_tokens) ? 'max_tokens' : 'max_completion_tokens';
  return new Map([
    [maxTokensField, limitField],
    [seedField, 'seed'],
  ]);
}

const adaptSeed: Quirk = (body, { seedField }) => renameField(body, 'seed', seedField);

/** The field for sending reasoning back. Null if reasoning isn't sent back. */
const findReasoningField = ({ sendReasoningBack, reasoningField }: ChatQuirks): string | null =>
  sendReasoningBack ? (reasoningField ?? 'reasoning_content') : null;

/** The format in which the provider accepts the thinking parts of earlier responses. */
export function getReasoningFormat(quirks: ChatQuirks): ReasoningFormat {
  const field = findReasoningField(quirks);
  if (quirks.thinkingParts) return 'parts';
  return field === null ? null : { field };
}

/** Providers that require reasoning reject messages with tool calls but without the reasoning field, even if there was no reasoning. */
const needsReasoning = (message: Fields, field: string | null): field is string =>
  field !== null && message.role === 'assistant' && Array.isArray(message.tool_calls) && !isSet(message[field]);

const adaptMessages: Quirk = (body, quirks) => {
  const field = findReasoningField(quirks);
  let isChanged = false;
  const adaptMessage = (message: unknown): unknown => {
    if (!isFields(message)) return message;
    const role = !quirks.developerRole && message.role === 'developer' ? { role: 'system' } : null;
    const reasoning = needsReasoning(message, field) ? { [field]: '' } : null;
    isChanged ||= role !== null || reasoning !== null;
    return role || reasoning ? { ...message, ...role, ...reasoning } : message;
  };
  const newMessages = Array.isArray(body.messages) ? body.messages.map(adaptMessage) : [];
  return isChanged ? { messages: newMessages } : {};
};

/** Removes `stream_options` if the provider doesn't accept it. The caller gets whatever usage the provider reports anyway. */
const adaptStreamOptions: Quirk = (body, { streamUsage }) => (streamUsage ? {} : removeFields(body, ['stream_options']));

const unsupportedFormats: Readonly<Record<ChatQuirks['structuredOutput'], readonly unknown[]>> = {
  schema: [],
  json: ['json_schema'],
  none: ['json_schema', 'json_object'],
};

const adaptFormat: Quirk = ({ response_format: responseFormat }, { structuredOutput }, fieldNames) => {
  const type = isFields(responseFormat) ? responseFormat.type : undefined;
  if (unsupportedFormats[structuredOutput].includes(type)) throw createNoEquivalentError(fieldNames.format);
  return structuredOutput === 'none' && responseFormat !== undefined ? { response_format: undefined } : {};
};

const hasTools = ({ tools }: Fields): boolean => Array.isArray(tools) && tools.length > 0;

const adaptParallelCalls: Quirk = (body, { parallelToolCalls }) => {
  if (parallelToolCalls) return {};
  if (body.parallel_tool_calls === false && hasTools(body)) throw createNoEquivalentError('parallel_tool_calls');
  return removeFields(body, ['parallel_tool_calls']);
};

const adaptStrictTools: Quirk = ({ tools }, { strictTools }, fieldNames) => {
  if (strictTools || !Array.isArray(tools)) return {};
  const hasStrict = (tool: unknown) => isFields(tool) && isFields(tool.function) && tool.function.strict !== undefined;
  if (!tools.some(hasStrict)) return {};
  return { tools: tools.map((tool: unknown, index) => withoutStrict(tool, () => `${fieldNames.getToolPath(index)}.strict`)) };
};

function withoutStrict(tool: unknown, getPath: () => string): unknown {
  if (!isFields(tool) || !isFields(tool.function)) return tool;
  const { strict, ...rest } = tool.function;
  if (strict === true) throw createNoEquivalentError(getPath());
  return { ...tool, function: rest };
}

/** `none` requests nothing: a model without reasoning complies anyway. */
const isEffortRequested = (effort: unknown): boolean => isSet(effort) && effort !== 'none';

const adaptEffort: Quirk = (body, { reasoningEffort }, fieldNames) => {
  if (reasoningEffort === 'send') return {};
  if (reasoningEffort === 'reject' && isEffortRequested(body.reasoning_effort)) throw createNoEquivalentError(fieldNames.effort);
  return removeFields(body, ['reasoning_effort']);
};

/** The fields that a quirk removes although they request something, by the caller's names, for the response header. */
export function findFieldsDroppedByQuirks(
  body: Fields,
  { reasoningEffort, hints, streamUsage, unsupported: names }: ChatQuirks,
): readonly string[] {
  return [
    ...(reasoningEffort === 'ignore' ? findDroppedEffort(body) : []),
    ...filterRequested(body, reportedHints.filter(createRejectedHintFilter(hints))),
    ...(streamUsage ? [] : filterRequested(body, ['stream_options.include_obfuscation'])),
    // `web_search_options` with settings was rejected before. An empty one also requests a search, but is only removed, so it's reported here.
    ...filterRequested(
      body,
      names.filter((name) => name === 'web_search_options'),
    ),
  ];
}

function findDroppedEffort({ reasoning, reasoning_effort }: Fields): readonly string[] {
  if (isSet(reasoning_effort)) return isEffortRequested(reasoning_effort) ? ['reasoning_effort'] : [];
  return isFields(reasoning) && isEffortRequested(reasoning.effort) ? ['reasoning'] : [];
}

const hintFields = ['store', ...sharedHints, 'verbosity'];

/** `store` is reported elsewhere, the same way for all providers. A Responses request has its verbosity in `text`. */
const reportedHints = [...hintFields.filter((name) => name !== 'store'), 'text.verbosity'];

/** True if the provider doesn't accept the hint. Chat providers get `text.verbosity` as `verbosity`. */
const createRejectedHintFilter =
  (accepted: ChatQuirks['hints']) =>
  (name: string): boolean =>
    typeof accepted === 'boolean' ? !accepted : !accepted.includes(name.replace('text.', ''));

const adaptHints: Quirk = (body, quirks) => removeFields(body, hintFields.filter(createRejectedHintFilter(quirks.hints)));

/** Values that are set but request nothing. */
const noEffectChecks: Readonly<Record<string, (value: unknown, body: Fields) => boolean>> = {
  n: (value) => value === 1,
  stop: (value) => Array.isArray(value) && value.length === 0,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  tools: (value) => Array.isArray(value) && value.length === 0,
  tool_choice: (value, body) => value === 'auto' || (value === 'none' && !hasTools(body)),
  modalities: (value) => Array.isArray(value) && !value.includes('audio'),
};

const rejectUnsupported: Quirk = (body, { unsupported: names }, fieldNames) => {
  for (const name of names) {
    if (hasNoEffect(body[name]) || noEffectChecks[name]?.(body[name], body)) continue;
    throw createNoEquivalentError(name === 'logprobs' ? fieldNames.logprobs : name);
  }
  return removeFields(body, names);
};

/** Quirks that reject come first. Each quirk reads the original body and changes only its own fields. */
const orderedQuirks: readonly Quirk[] = [
  rejectUnsupported,
  adaptLimit,
  adaptSeed,
  adaptMessages,
  adaptStreamOptions,
  adaptFormat,
  adaptParallelCalls,
  adaptStrictTools,
  adaptEffort,
  adaptHints,
];

/** The changes to a chat body for this provider. Throws `unsupported_parameter` if a change would alter the response. */
function applyQuirks(body: Fields, quirks: ChatQuirks, fieldNames: FieldNames): Changes {
  const changes: Changes = Object.assign({}, ...orderedQuirks.map((quirk) => quirk(body, quirks, fieldNames)));
  return { ...changes, ...createMistralIdChanges({ ...body, ...changes }) };
}

const getChatFieldNames = ({ reasoning_effort }: Fields): FieldNames => ({
  format: 'response_format',
  effort: isSet(reasoning_effort) ? 'reasoning_effort' : 'reasoning.effort',
  logprobs: 'logprobs',
  getToolPath: (index) => `tools[${index}].function`,
});

/** Sets `store` to false only if the caller sent it, because some providers don't have the field. */
const disableStore = ({ store }: Fields): Fields => (store === undefined ? {} : { store: false });

/** Restores `reasoning` for providers that accept the object. The default changes convert it to `reasoning_effort`. */
const restoreReasoning = ({ reasoning, reasoning_effort }: Fields, { reasoningObject }: ChatQuirks): Fields =>
  reasoningObject && reasoning !== undefined ? { reasoning, reasoning_effort } : {};

export const createQuirkRelay = (quirks: ChatQuirks): Relay => ({
  ...chatRelay,
  writeRequest(body, options) {
    const parsedFieldChanges = withoutParsedFields(body.value, 'messages');
    const reasoningChanges = moveReasoning({ ...body.value, ...parsedFieldChanges }, getReasoningFormat(quirks));
    const adaptedBody = withFields(body, {
      ...createChatChanges(body, options),
      ...restoreReasoning(body.value, quirks),
      ...parsedFieldChanges,
      ...reasoningChanges,
      ...disableStore(body.value),
    });
    return withFields(adaptedBody, applyQuirks(adaptedBody.value, quirks, getChatFieldNames(body.value)));
  },
});

/** Chat upstreams get only the caller's own tools, in the caller's order. */
function getResponsesFieldNames({ tools }: CanonicalRequest): FieldNames {
  const sentTools = dedupeTools(tools.filter((tool) => tool.kind !== 'hosted'));
  return {
    format: 'text.format',
    effort: 'reasoning.effort',
    logprobs: 'top_logprobs',
    getToolPath: (index) => sentTools[index]?.path ?? 'tools',
  };
}

export const createQuirkDialect = (quirks: ChatQuirks, upstream = ''): UpstreamDialect => ({
  getPath: () => '/chat/completions',
  writeRequest(turn, work) {
    const request = writeChatRequest(turn, { thoughtsIn: findReasoningField(quirks), upstream, work });
    const adaptedRequest = { ...request, ...applyQuirks(request, quirks, getResponsesFieldNames(turn)) };
    return Object.fromEntries(Object.entries(adaptedRequest).filter(([, value]) => value !== undefined));
  },
  readResponse: (response, turn) => readChatResponse(response, turn, { thoughtsIn: quirks.reasoningField, upstream }),
  openStream: (turn) => readChatStream(turn, { thoughtsIn: quirks.reasoningField, upstream }),
});
