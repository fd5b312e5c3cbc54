/** How a provider of chat completions differs from OpenAI, as changes to a body. A change that would alter the response is rejected, by the caller's name of the field. */

import type { GatewayError } from '../../errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import type { Relay } from '../failure.ts';
import { sharedHints } from '../turn/caller-field-names.ts';
import { offeredOnce } from '../turn/tools.ts';
import type { Turn, UpstreamDialect } from '../turn/turn.ts';
import { askedOf, asksNothing, unsupported } from '../turn/unsent-fields.ts';
import { type Changes, withFields } from '../wire/json-body.ts';
import { type ThoughtsPlace, thoughtsMoved } from './provider-answer.ts';
import { openChatStream, readChatAnswer } from './read-answer.ts';
import { type AcceptedValues, chatChanges, chatRelay } from './relay.ts';
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
  /** Whether it accepts hints, or which of them. */
  readonly hints: boolean | readonly string[];
  readonly unsupported: readonly string[];
  readonly accepts?: AcceptedValues | undefined;
}

/** The caller's names of fields that may be rejected. */
interface CallerWords {
  readonly format: string;
  readonly effort: string;
  readonly logprobs: string;
  /** The path of the tool at this index. */
  tool(index: number): string;
}

type Quirk = (body: Fields, quirks: ChatQuirks, words: CallerWords) => Changes;

const cannot = (param: string): GatewayError => unsupported(param, `'${param}' is not supported: this model's upstream has no equivalent.`);

const rename = (body: Fields, from: string, to: string): Changes =>
  from !== to && isSet(body[from]) ? { [from]: undefined, [to]: body[from] } : {};

const removed = (body: Fields, names: readonly string[]): Changes =>
  Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, undefined]));

const limits: Quirk = (body, { maxTokensField }) =>
  rename(body, maxTokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens', maxTokensField);

/** The provider's names of renamed fields → the caller's names. */
export function quirkNames(body: Fields, { maxTokensField, seedField }: ChatQuirks): ReadonlyMap<string, string> {
  const own = isSet(body.max_tokens) ? 'max_tokens' : 'max_completion_tokens';
  return new Map([
    [maxTokensField, own],
    [seedField, 'seed'],
  ]);
}

const seeds: Quirk = (body, { seedField }) => rename(body, 'seed', seedField);

/** The field in which reasoning is sent back; null if it isn't. */
const thoughtsField = ({ sendReasoningBack, reasoningField }: ChatQuirks): string | null =>
  sendReasoningBack ? (reasoningField ?? 'reasoning_content') : null;

/** Where the provider takes the thoughts of earlier responses that came as parts. */
export function thoughtsPlace(quirks: ChatQuirks): ThoughtsPlace {
  const field = thoughtsField(quirks);
  if (quirks.thinkingParts) return 'parts';
  return field === null ? null : { field };
}

/** Providers that want reasoning back reject a message with calls and without that field, even when there was no reasoning. */
const wantsThoughts = (message: Fields, field: string | null): field is string =>
  field !== null && message.role === 'assistant' && Array.isArray(message.tool_calls) && !isSet(message[field]);

const messages: Quirk = (body, quirks) => {
  const field = thoughtsField(quirks);
  let isChanged = false;
  const change = (message: unknown): unknown => {
    if (!isFields(message)) return message;
    const role = !quirks.developerRole && message.role === 'developer' ? { role: 'system' } : null;
    const thoughts = wantsThoughts(message, field) ? { [field]: '' } : null;
    isChanged ||= role !== null || thoughts !== null;
    return role || thoughts ? { ...message, ...role, ...thoughts } : message;
  };
  const changed = Array.isArray(body.messages) ? body.messages.map(change) : [];
  return isChanged ? { messages: changed } : {};
};

/** Removes `stream_options` for a provider that doesn't accept it; the caller gets the usage that the provider reports anyway. */
const usage: Quirk = (body, { streamUsage }) => (streamUsage ? {} : removed(body, ['stream_options']));

const beyond: Readonly<Record<ChatQuirks['structuredOutput'], readonly unknown[]>> = {
  schema: [],
  json: ['json_schema'],
  none: ['json_schema', 'json_object'],
};

const format: Quirk = ({ response_format: given }, { structuredOutput }, words) => {
  const type = isFields(given) ? given.type : undefined;
  if (beyond[structuredOutput].includes(type)) throw cannot(words.format);
  return structuredOutput === 'none' && given !== undefined ? { response_format: undefined } : {};
};

const hasTools = ({ tools }: Fields): boolean => Array.isArray(tools) && tools.length > 0;

const parallelCalls: Quirk = (body, { parallelToolCalls }) => {
  if (parallelToolCalls) return {};
  if (body.parallel_tool_calls === false && hasTools(body)) throw cannot('parallel_tool_calls');
  return removed(body, ['parallel_tool_calls']);
};

const strictness: Quirk = ({ tools }, { strictTools }, words) => {
  if (strictTools || !Array.isArray(tools)) return {};
  const isSaid = (tool: unknown) => isFields(tool) && isFields(tool.function) && tool.function.strict !== undefined;
  if (!tools.some(isSaid)) return {};
  return { tools: tools.map((tool: unknown, index) => withoutStrict(tool, () => `${words.tool(index)}.strict`)) };
};

function withoutStrict(tool: unknown, place: () => string): unknown {
  if (!isFields(tool) || !isFields(tool.function)) return tool;
  const { strict, ...rest } = tool.function;
  if (strict === true) throw cannot(place());
  return { ...tool, function: rest };
}

/** `none` asks for nothing: a model that can't reason does that anyway. */
const asksEffort = (effort: unknown): boolean => isSet(effort) && effort !== 'none';

const effort: Quirk = (body, { reasoningEffort }, words) => {
  if (reasoningEffort === 'send') return {};
  if (reasoningEffort === 'reject' && asksEffort(body.reasoning_effort)) throw cannot(words.effort);
  return removed(body, ['reasoning_effort']);
};

/** The caller's fields that a quirk removes although they ask for something, by the caller's names, for the response's header. */
export function ignoredBy(body: Fields, { reasoningEffort, hints, streamUsage, unsupported: names }: ChatQuirks): readonly string[] {
  return [
    ...(reasoningEffort === 'ignore' ? ignoredEffort(body) : []),
    ...askedOf(body, ignoredHints.filter(isUnwanted(hints))),
    ...(streamUsage ? [] : askedOf(body, ['stream_options.include_obfuscation'])),
    // With settings of the search it was rejected.
    ...askedOf(
      body,
      names.filter((name) => name === 'web_search_options'),
    ),
  ];
}

function ignoredEffort({ reasoning, reasoning_effort }: Fields): readonly string[] {
  if (isSet(reasoning_effort)) return asksEffort(reasoning_effort) ? ['reasoning_effort'] : [];
  return isFields(reasoning) && asksEffort(reasoning.effort) ? ['reasoning'] : [];
}

const hintFields = ['store', ...sharedHints, 'verbosity'];

/** `store` is reported elsewhere, for all providers alike; a responses request has its verbosity in `text`. */
const ignoredHints = [...hintFields.filter((name) => name !== 'store'), 'text.verbosity'];

/** Whether the provider doesn't accept a hint; `text.verbosity` is sent to chat providers as `verbosity`. */
const isUnwanted =
  (accepted: ChatQuirks['hints']) =>
  (name: string): boolean =>
    typeof accepted === 'boolean' ? !accepted : !accepted.includes(name.replace('text.', ''));

const hints: Quirk = (body, quirks) => removed(body, hintFields.filter(isUnwanted(quirks.hints)));

/** Values that are set but ask for nothing. */
const idle: Readonly<Record<string, (value: unknown, body: Fields) => boolean>> = {
  n: (value) => value === 1,
  stop: (value) => Array.isArray(value) && value.length === 0,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  tools: (value) => Array.isArray(value) && value.length === 0,
  tool_choice: (value, body) => value === 'auto' || (value === 'none' && !hasTools(body)),
  modalities: (value) => Array.isArray(value) && !value.includes('audio'),
};

const rejected: Quirk = (body, { unsupported: names }, words) => {
  for (const name of names) {
    if (asksNothing(body[name]) || idle[name]?.(body[name], body)) continue;
    throw cannot(name === 'logprobs' ? words.logprobs : name);
  }
  return removed(body, names);
};

/** Quirks that reject come first. Each quirk reads the original body and changes only its own fields. */
const all: readonly Quirk[] = [rejected, limits, seeds, messages, usage, format, parallelCalls, strictness, effort, hints];

/** The changes to a chat body for this provider. Throws `unsupported_parameter` when a change would alter the response. */
function quirkChanges(body: Fields, quirks: ChatQuirks, words: CallerWords): Changes {
  return Object.assign({}, ...all.map((quirk) => quirk(body, quirks, words)));
}

const chatWords = ({ reasoning_effort }: Fields): CallerWords => ({
  format: 'response_format',
  effort: isSet(reasoning_effort) ? 'reasoning_effort' : 'reasoning.effort',
  logprobs: 'logprobs',
  tool: (index) => `tools[${index}].function`,
});

/** `store` is set to false only when the caller sent it, since some providers don't have the field. */
const kept = ({ store }: Fields): Fields => (store === undefined ? {} : { store: false });

/** Overrides what is done for upstreams that have `reasoning_effort` alone. */
const keptReasoning = ({ reasoning, reasoning_effort }: Fields, { reasoningObject }: ChatQuirks): Fields =>
  reasoningObject && reasoning !== undefined ? { reasoning, reasoning_effort } : {};

export const quirkedRelay = (quirks: ChatQuirks): Relay => ({
  ...chatRelay,
  writeRequest(body, options) {
    const thoughts = thoughtsMoved(body.value, thoughtsPlace(quirks));
    const written = withFields(body, {
      ...chatChanges(body, options),
      ...keptReasoning(body.value, quirks),
      ...thoughts,
      ...kept(body.value),
    });
    return withFields(written, quirkChanges(written.value, quirks, chatWords(body.value)));
  },
});

/** A chat upstream gets the tools that the caller runs, in the caller's order. */
function turnWords({ tools }: Turn): CallerWords {
  const written = offeredOnce(tools.filter((tool) => tool.kind !== 'hosted'));
  return { format: 'text.format', effort: 'reasoning.effort', logprobs: 'top_logprobs', tool: (index) => written[index]?.path ?? 'tools' };
}

export const quirkedUpstream = (quirks: ChatQuirks): UpstreamDialect => ({
  path: () => '/chat/completions',
  writeRequest(turn, work) {
    const written = writeChatRequest(turn, thoughtsField(quirks), work);
    const changed = { ...written, ...quirkChanges(written, quirks, turnWords(turn)) };
    return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  },
  readWhole: (answer, turn) => readChatAnswer(answer, turn, quirks.reasoningField),
  openStream: (turn) => openChatStream(turn, quirks.reasoningField),
});
