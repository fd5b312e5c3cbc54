/** Rewrites an upstream's error about a field, so that it names the field that the caller wrote. */
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { GatewayError } from '../../errors.ts';
import { type Fields, isSet } from '../../primitives/fields.ts';
import { offeredOnce } from './tools.ts';
import type { Tool, Turn, UpstreamDialect } from './turn.ts';

type SharedField = keyof ChatCompletionRequest & keyof ResponseRequest;

/** In the order in which they are written. The compiler checks that the contract has each of them in both operations. */
export const sharedHints = [
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'service_tier',
  'metadata',
] as const satisfies readonly SharedField[];

type AnyField = keyof ChatCompletionRequest | keyof ResponseRequest;

/** Hints that only one operation has, or that aren't sent upstream. */
export const otherHints = [
  'store',
  'stream_options',
  'client_metadata',
  'truncation',
  'include',
  'context_management',
] as const satisfies readonly AnyField[];

/** Fields that change the response but have no field in a turn. */
export const extraFields = [
  'prediction',
  'audio',
  'web_search_options',
  'moderation',
  'max_tool_calls',
] as const satisfies readonly AnyField[];

export type UpstreamProtocol = 'chat' | 'responses' | 'anthropic' | 'gemini' | 'converse';

/** Settings that protocols name differently. */
type Meaning = 'limit' | 'effort' | 'verbosity' | 'format' | 'schema' | 'items' | 'logprobs';

const callerNames: Readonly<Record<Turn['caller'], Readonly<Record<Meaning, string>>>> = {
  chat: {
    limit: 'max_completion_tokens',
    effort: 'reasoning_effort',
    verbosity: 'verbosity',
    format: 'response_format',
    schema: 'response_format.json_schema.schema',
    items: 'messages',
    logprobs: 'top_logprobs',
  },
  responses: {
    limit: 'max_output_tokens',
    effort: 'reasoning.effort',
    verbosity: 'text.verbosity',
    format: 'text.format',
    schema: 'text.format.schema',
    items: 'input',
    logprobs: 'top_logprobs',
  },
};

/** The names in each protocol; the longest name that a path begins with decides. */
const upstreamNames: Readonly<Record<UpstreamProtocol, Readonly<Record<string, Meaning>>>> = {
  chat: {
    max_completion_tokens: 'limit',
    max_tokens: 'limit',
    reasoning_effort: 'effort',
    verbosity: 'verbosity',
    response_format: 'format',
    'response_format.json_schema.schema': 'schema',
    messages: 'items',
    logprobs: 'logprobs',
  },
  responses: {
    max_output_tokens: 'limit',
    reasoning: 'effort',
    'text.verbosity': 'verbosity',
    'text.format': 'format',
    'text.format.schema': 'schema',
    input: 'items',
  },
  anthropic: {
    max_tokens: 'limit',
    thinking: 'effort',
    'output_config.effort': 'effort',
    'output_config.format': 'format',
    'output_config.format.schema': 'schema',
    messages: 'items',
    system: 'items',
  },
  gemini: {
    'generation_config.max_output_tokens': 'limit',
    'generation_config.thinking_config': 'effort',
    contents: 'items',
    'generation_config.response_json_schema': 'schema',
    'generation_config.response_schema': 'schema',
    system_instruction: 'items',
  },
  converse: {
    'inferenceConfig.maxTokens': 'limit',
    additionalModelRequestFields: 'effort',
    'outputConfig.textFormat': 'format',
    'outputConfig.textFormat.structure.jsonSchema.schema': 'schema',
    messages: 'items',
    system: 'items',
  },
};

/** Names that mean the same in every protocol that has them. */
const shared = [
  ...['model', 'stream', 'temperature', 'top_p', 'tools', 'tool_choice', 'parallel_tool_calls', 'top_logprobs', 'moderation'],
  ...sharedHints,
  ...['seed', 'stop', 'n', 'logit_bias', 'presence_penalty', 'frequency_penalty'],
];
const sameNames: Readonly<Partial<Record<UpstreamProtocol, Readonly<Record<string, string>>>>> = {
  anthropic: { stop_sequences: 'stop' },
  gemini: {
    'generation_config.temperature': 'temperature',
    'generation_config.top_p': 'top_p',
    'generation_config.seed': 'seed',
    'generation_config.stop_sequences': 'stop',
    'tools[0].function_declarations': 'tools',
    tool_config: 'tool_choice',
  },
  converse: {
    'inferenceConfig.temperature': 'temperature',
    'inferenceConfig.topP': 'top_p',
    'inferenceConfig.stopSequences': 'stop',
    'toolConfig.toolChoice': 'tool_choice',
    toolConfig: 'tools',
  },
};

const isWithin = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);

const longest = (path: string, names: readonly string[]): string | undefined =>
  names.filter((name) => isWithin(path, name)).sort((a, b) => b.length - a.length)[0];

/** The caller's path for a path of the upstream's request; null if the caller wrote no such field. */
export function callerPath(param: string, upstream: UpstreamProtocol, turn: Turn): string | null {
  // Some providers write `messages.[2].role`, some `messages.2.role`.
  const path = param.replace(/\.?\[(\d+)\]|\.(\d+)(?=\.|$)/g, (_, bracketed, plain) => `[${bracketed ?? plain}]`);
  const exact = toolPath(path, upstream, turn) ?? itemPath(path, upstream, turn);
  if (exact !== null) return exact;
  const names = upstreamNames[upstream];
  const known = longest(path, Object.keys(names));
  const meaning = known === undefined ? undefined : names[known];
  if (meaning !== undefined) return callerNames[turn.caller][meaning];
  const same: Readonly<Record<string, string>> = sameNames[upstream] ?? {};
  const alias = longest(path, Object.keys(same));
  return (alias === undefined ? longest(path, shared) : same[alias]) ?? null;
}

const indexed = /^(\w+)\[(\d+)\](.*)$/;

/** OpenAI protocols get the tools in the caller's order; chat gets them without hosted tools. */
function toolPath(path: string, upstream: UpstreamProtocol, { tools, caller }: Turn): string | null {
  const [, name, index, rest = ''] = indexed.exec(path) ?? [];
  if (name !== 'tools' || (upstream !== 'chat' && upstream !== 'responses')) return null;
  const written = upstream === 'responses' ? tools : offeredOnce(tools.filter((tool) => tool.kind !== 'hosted'));
  const tool = written[Number(index)];
  if (tool === undefined) return null;
  const field = /\b(name|description|parameters|strict)\b/.exec(rest)?.[1];
  return field === undefined ? tool.path : toolField(tool, caller, field);
}

/** Each item of a chat request becomes one `input` item of a responses upstream; in other translations items are joined and split, and no path is known. */
function itemPath(path: string, upstream: UpstreamProtocol, { items, caller }: Turn): string | null {
  const [, name, index, rest = ''] = indexed.exec(path) ?? [];
  if (name !== 'input' || upstream !== 'responses' || caller !== 'chat') return null;
  const item = items[Number(index)];
  if (item === undefined) return null;
  const part = item.kind === 'message' ? (/^\.content(\[\d+\])?/.exec(rest)?.[0] ?? '') : '';
  return `${item.path}${part}`;
}

/** Field names that are also English words. They're replaced in a message only if the error's `param` names them. */
const plainWords = new Set(['input', 'messages', 'thinking', 'contents', 'reasoning', 'verbosity', 'system', 'logprobs']);
const isNamed = (message: string, name: string): boolean => new RegExp(`(?<![\\w.])${escaped(name)}(?![\\w[])`).test(message);
const escaped = (text: string) => text.replace(/[.[\]]/g, '\\$&');

/** The error with the caller's field as its `param`; its message explains each name that only the upstream uses. */
function reword(error: GatewayError, names: readonly string[], pathOf: (name: string) => string | null): GatewayError {
  if (error.status !== 400) return error;
  const said = error.param === null ? names : [error.param, ...names];
  const glosses = [...new Set(said)].flatMap((name) => {
    const own = pathOf(name);
    return own === null || own === name || !isNamed(error.message, name) ? [] : [`'${name}' is '${own}' in your request`];
  });
  const param = error.param === null ? null : pathOf(error.param);
  if (glosses.length === 0 && param === error.param) return error;
  const message = glosses.length === 0 ? error.message : `${error.message.slice(0, 700)} (${glosses.slice(0, 2).join(', ')}.)`;
  return new GatewayError(error.code, { message, headers: error.headers, cause: error.cause, ...(param !== null && { param }) });
}

/** For callers whose protocol differs from the upstream's. An error that names no field is unchanged. */
export function withCallerFieldNames(error: GatewayError, upstream: UpstreamProtocol, turn: Turn): GatewayError {
  const names = Object.keys(upstreamNames[upstream]).filter((name) => !plainWords.has(name));
  return reword(error, names, (name) => callerPath(name, upstream, turn));
}

/** For callers of the upstream's protocol when fields were renamed. `names`: upstream's name → caller's name. */
export const inOwnNames = (error: GatewayError, names: ReadonlyMap<string, string>): GatewayError =>
  reword(error, [...names.keys()], (name) => names.get(name) ?? name);

/** The dialect, with failures inside answers and streams rewritten to the caller's field names. */
export function renameErrorFields(dialect: UpstreamDialect, upstream: UpstreamProtocol): UpstreamDialect {
  return {
    ...dialect,
    readWhole(answer, turn) {
      try {
        return dialect.readWhole(answer, turn);
      } catch (error) {
        throw error instanceof GatewayError ? withCallerFieldNames(error, upstream, turn) : error;
      }
    },
    openStream(turn) {
      const reader = dialect.openStream(turn);
      return {
        read(data, name) {
          const events = reader.read(data, name);
          // Nearly every list holds no failure, and is returned unchanged.
          const failed = events.findIndex((event) => event.kind === 'failed');
          if (failed < 0) return events;
          return events.map((event) =>
            event.kind === 'failed' ? { ...event, error: withCallerFieldNames(event.error, upstream, turn) } : event,
          );
        },
        end: (isMarked) => reader.end(isMarked),
        get isComplete() {
          return reader.isComplete;
        },
      };
    },
  };
}

const hintNames = [...sharedHints, ...otherHints];

function pick(body: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (isSet(body[name]) ? [[name, body[name]]] : [])));
}

export const readHints = (body: Fields): Fields => pick(body, hintNames);

/** `modalities` counts only when it asks for audio. */
export function readExtras(body: Fields): Fields {
  const hasAudio = Array.isArray(body.modalities) && body.modalities.includes('audio');
  return { ...pick(body, extraFields), ...(hasAudio && { modalities: body.modalities }) };
}

const known = new Set([...Object.keys(ChatCompletionRequest.shape), ...Object.keys(ResponseRequest.shape)]);

/** Names of fields that are set and that neither request schema has. */
export function readUnknown(body: Fields): string[] {
  return Object.keys(body).filter((name) => !known.has(name) && isSet(body[name]));
}

/** The caller's path of a tool's field: chat nests the fields in an object named after the tool's kind, except in the older `functions`. */
export function toolField({ path, kind }: Tool, caller: Turn['caller'], field: string): string {
  return `${path}${caller === 'chat' && path.startsWith('tools') ? `.${kind}` : ''}.${field}`;
}

/** The entry of `tools` or the input item that holds a tool: `tools[3]`, `input[5]`. */
export const containerOf = ({ path }: Tool): string => path.split('.', 1)[0] ?? path;

/** The places of all tools; an input item whose tools were read is among them. */
export const containersOf = (tools: readonly Tool[]): ReadonlySet<string> => new Set(tools.map(containerOf));
