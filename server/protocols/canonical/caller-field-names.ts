/** Rewrites an upstream's error about a field, so that it uses the caller's name of the field. */

import { GatewayError } from '../../primitives/errors.ts';
import type { UpstreamDialect, UpstreamProtocol } from '../dialect.ts';
import type { CanonicalRequest, Tool } from './canonical-request.ts';
import { dedupeTools } from './flat-tool-names.ts';
import { sharedHints } from './hints.ts';

/** Settings whose names differ between protocols. */
type SettingKind = 'limit' | 'effort' | 'verbosity' | 'format' | 'schema' | 'items' | 'logprobs';

const callerNames: Readonly<Record<CanonicalRequest['caller'], Readonly<Record<SettingKind, string>>>> = {
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

/** Field paths per protocol. The longest prefix of a path wins. */
const upstreamNames: Readonly<Record<UpstreamProtocol, Readonly<Record<string, SettingKind>>>> = {
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

/** Names with the same meaning in every protocol that has them. */
const sharedNames = [
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

const findLongestPrefix = (path: string, names: readonly string[]): string | undefined =>
  names.filter((name) => isWithin(path, name)).sort((a, b) => b.length - a.length)[0];

/** Maps a path in the upstream's request to the caller's path. Null if the caller has no such field. */
function findCallerPath(param: string, upstream: UpstreamProtocol, turn: CanonicalRequest): string | null {
  // Some providers write `messages.[2].role`, some `messages.2.role`.
  const path = param.replace(/\.?\[(\d+)\]|\.(\d+)(?=\.|$)/g, (_, bracketed, plain) => `[${bracketed ?? plain}]`);
  const exactPath = findToolPath(path, upstream, turn) ?? findItemPath(path, upstream, turn);
  if (exactPath !== null) return exactPath;
  const names = upstreamNames[upstream];
  const upstreamName = findLongestPrefix(path, Object.keys(names));
  const settingKind = upstreamName === undefined ? undefined : names[upstreamName];
  if (settingKind !== undefined) return callerNames[turn.caller][settingKind];
  const aliases: Readonly<Record<string, string>> = sameNames[upstream] ?? {};
  const alias = findLongestPrefix(path, Object.keys(aliases));
  return (alias === undefined ? findLongestPrefix(path, sharedNames) : aliases[alias]) ?? null;
}

const indexedPath = /^(\w+)\[(\d+)\](.*)$/;

/** Responses upstreams get all tools in the caller's order. Chat upstreams get them without hosted tools. */
function findToolPath(path: string, upstream: UpstreamProtocol, { tools, caller }: CanonicalRequest): string | null {
  const [, name, index, suffix = ''] = indexedPath.exec(path) ?? [];
  if (name !== 'tools' || (upstream !== 'chat' && upstream !== 'responses')) return null;
  const sentTools = upstream === 'responses' ? tools : dedupeTools(tools.filter((tool) => tool.kind !== 'hosted'));
  const tool = sentTools[Number(index)];
  if (tool === undefined) return null;
  const field = /\b(name|description|parameters|strict)\b/.exec(suffix)?.[1];
  return field === undefined ? tool.path : getToolFieldPath(tool, caller, field);
}

/** Responses upstreams get each chat item as one `input` item. Other translations merge and split items, so no path is known. */
function findItemPath(path: string, upstream: UpstreamProtocol, { items, caller }: CanonicalRequest): string | null {
  const [, name, index, suffix = ''] = indexedPath.exec(path) ?? [];
  if (name !== 'input' || upstream !== 'responses' || caller !== 'chat') return null;
  const item = items[Number(index)];
  if (item === undefined) return null;
  const partSuffix = item.kind === 'message' ? (/^\.content(\[\d+\])?/.exec(suffix)?.[0] ?? '') : '';
  return `${item.path}${partSuffix}`;
}

/** Field names that are also English words. A message explains them only if the error's `param` names them. */
const plainWords = new Set(['input', 'messages', 'thinking', 'contents', 'reasoning', 'verbosity', 'system', 'logprobs']);
const isMentioned = (message: string, name: string): boolean => new RegExp(`(?<![\\w.])${escapePath(name)}(?![\\w[])`).test(message);
const escapePath = (text: string) => text.replace(/[.[\]]/g, '\\$&');

/** Sets `param` to the caller's field. The message explains each name that only the upstream uses. */
function rewordError(error: GatewayError, names: readonly string[], toCallerPath: (name: string) => string | null): GatewayError {
  if (error.status !== 400) return error;
  const candidateNames = error.param === null ? names : [error.param, ...names];
  const explanations = [...new Set(candidateNames)].flatMap((name) => {
    const callerPath = toCallerPath(name);
    return callerPath === null || callerPath === name || !isMentioned(error.message, name)
      ? []
      : [`'${name}' is '${callerPath}' in your request`];
  });
  const param = error.param === null ? null : toCallerPath(error.param);
  if (explanations.length === 0 && param === error.param) return error;
  const message = explanations.length === 0 ? error.message : `${error.message.slice(0, 700)} (${explanations.slice(0, 2).join(', ')}.)`;
  return new GatewayError(error.code, { message, headers: error.headers, cause: error.cause, ...(param !== null && { param }) });
}

/** For callers whose protocol differs from the upstream's. Doesn't change an error that names no field. */
export function withCallerFieldNames(error: GatewayError, upstream: UpstreamProtocol, turn: CanonicalRequest): GatewayError {
  const names = Object.keys(upstreamNames[upstream]).filter((name) => !plainWords.has(name));
  return rewordError(error, names, (name) => findCallerPath(name, upstream, turn));
}

/** For callers that use the upstream's protocol, if fields were renamed. `names` maps the upstream's name to the caller's. */
export const withRenamedFields = (error: GatewayError, names: ReadonlyMap<string, string>): GatewayError =>
  rewordError(error, [...names.keys()], (name) => names.get(name) ?? name);

/** Wraps the dialect so that failures inside responses and streams use the caller's field names. */
export function renameErrorFields(dialect: UpstreamDialect, upstream: UpstreamProtocol): UpstreamDialect {
  return {
    ...dialect,
    readResponse(response, turn) {
      try {
        return dialect.readResponse(response, turn);
      } catch (error) {
        throw error instanceof GatewayError ? withCallerFieldNames(error, upstream, turn) : error;
      }
    },
    openStream(turn) {
      const reader = dialect.openStream(turn);
      return {
        read(data, name) {
          const events = reader.read(data, name);
          // Nearly every list has no failure and is returned unchanged.
          const failureIndex = events.findIndex((event) => event.kind === 'failed');
          if (failureIndex < 0) return events;
          return events.map((event) =>
            event.kind === 'failed' ? { ...event, error: withCallerFieldNames(event.error, upstream, turn) } : event,
          );
        },
        end: (hasDoneMarker) => reader.end(hasDoneMarker),
        get isComplete() {
          return reader.isComplete;
        },
      };
    },
  };
}

/** The caller's path of a tool's field. Chat nests the fields in an object named after the tool's kind, except in the older `functions`. */
export function getToolFieldPath({ path, kind }: Tool, caller: CanonicalRequest['caller'], field: string): string {
  return `${path}${caller === 'chat' && path.startsWith('tools') ? `.${kind}` : ''}.${field}`;
}

/** The path of the `tools` entry or input item that contains a tool: `tools[3]`, `input[5]`. */
export const getToolContainer = ({ path }: Tool): string => path.split('.', 1)[0] ?? path;

/** The containers of all tools, including input items whose tools were read. */
export const getToolContainers = (tools: readonly Tool[]): ReadonlySet<string> => new Set(tools.map(getToolContainer));
