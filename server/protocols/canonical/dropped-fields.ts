/** Finds the fields that an upstream of another protocol doesn't have and a model can do without: they're omitted and reported (decision 0003). */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import type { UpstreamProtocol } from '../dialect.ts';
import type { CanonicalRequest, HostedTool, Item, ResponsesOnlyItem, Tool } from './canonical-request.ts';
import { sharedHints } from './hints.ts';

interface NestedFieldRule {
  /** The name of the object inside the part that contains the field. */
  readonly inside?: string;
  readonly field: string;
  /** Upstream protocols that either get the field or reject the call. */
  readonly places: readonly UpstreamProtocol[];
  /** Protocols in `places` that don't get the field in assistant messages. */
  readonly unreported?: readonly UpstreamProtocol[];
}

const openAi = ['chat', 'responses'] as const;
/** Anthropic's cache mark, which clients also send in chat requests. */
const cacheControl: NestedFieldRule = { field: 'cache_control', places: ['chat', 'anthropic', 'converse'] };
const cacheMarks: readonly NestedFieldRule[] = [
  { field: 'prompt_cache_breakpoint', places: ['responses', 'anthropic', 'converse'], unreported: ['responses'] },
  cacheControl,
];

interface NestedFieldRules {
  readonly items: readonly NestedFieldRule[];
  readonly parts: readonly NestedFieldRule[];
  readonly calls: readonly NestedFieldRule[];
  readonly tools: readonly NestedFieldRule[];
}

const rulesByCaller: Readonly<Record<CanonicalRequest['caller'], NestedFieldRules>> = {
  chat: {
    items: [
      { field: 'name', places: ['chat'] },
      cacheControl,
      // Reasoning in the formats of OpenRouter and LiteLLM.
      { field: 'reasoning_details', places: ['chat'] },
      { field: 'thinking_blocks', places: ['chat'] },
    ],
    // Gemini's signatures.
    calls: [{ field: 'extra_content', places: ['chat'] }],
    tools: [cacheControl, { ...cacheControl, inside: 'function' }],
    parts: [
      ...cacheMarks,
      { inside: 'image_url', field: 'detail', places: openAi },
      { inside: 'file', field: 'filename', places: ['chat', 'responses', 'anthropic', 'converse'] },
    ],
  },
  responses: {
    items: [{ field: 'phase', places: ['responses'] }],
    calls: [],
    tools: [cacheControl],
    parts: [
      ...cacheMarks,
      { field: 'detail', places: openAi },
      { field: 'filename', places: ['chat', 'responses', 'anthropic', 'converse'] },
      { field: 'annotations', places: ['responses'] },
    ],
  },
};

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** True if the value requests something. `auto` is the default, and an empty value requests nothing. */
const isRequested = (value: unknown): boolean => !hasNoEffect(value) && value !== 'auto' && value !== '';

const NO_NAMES: readonly string[] = [];

/** The listed fields that the object sets. Nearly always the shared empty list. */
function findRequestedFields(value: unknown, rules: readonly NestedFieldRule[]): readonly string[] {
  if (!isFields(value)) return NO_NAMES;
  let names = NO_NAMES;
  for (const { inside, field } of rules) {
    const parent = inside === undefined ? value : value[inside];
    if (isFields(parent) && isRequested(parent[field])) names = [...names, inside === undefined ? field : `${inside}.${field}`];
  }
  return names;
}

/** Adds the dropped fields of each object in a list. This runs for every part of a conversation, so it builds paths only for dropped fields. */
function collectDropped(
  droppedPaths: string[],
  list: unknown,
  { rows, place: getPath }: { readonly rows: readonly NestedFieldRule[]; readonly place: () => string },
): void {
  if (!Array.isArray(list)) return;
  for (let index = 0; index < list.length; index += 1)
    for (const name of findRequestedFields(list[index], rows)) droppedPaths.push(`${getPath()}[${index}].${name}`);
}

/** The paths of nested fields that an upstream with another protocol doesn't get. Reads each object once. */
function findDroppedNestedFields(body: Fields, caller: CanonicalRequest['caller'], protocol: UpstreamProtocol): readonly string[] {
  const filterUnsupported = (rows: readonly NestedFieldRule[]) => rows.filter(({ places }) => !places.includes(protocol));
  const { items, parts, calls, tools } = rulesByCaller[caller];
  const unreportedRules = parts.filter(
    ({ places, unreported: protocols = [] }) => !places.includes(protocol) || protocols.includes(protocol),
  );
  const rules = {
    items: filterUnsupported(items),
    parts: filterUnsupported(parts),
    calls: filterUnsupported(calls),
    tools: filterUnsupported(tools),
    reported: unreportedRules,
  };
  const list = caller === 'chat' ? 'messages' : 'input';
  const droppedPaths: string[] = [];
  toList(body[list]).forEach((item, index) => {
    if (isFields(item)) collectFromItem(droppedPaths, item, rules, () => `${list}[${index}]`);
  });
  collectDropped(droppedPaths, body.tools, { rows: rules.tools, place: () => 'tools' });
  if (caller === 'responses') collectFromTools(droppedPaths, body.tools, () => 'tools');
  return droppedPaths;
}

function collectFromItem(
  droppedPaths: string[],
  item: Fields,
  rules: NestedFieldRules & { readonly reported: readonly NestedFieldRule[] },
  getPath: () => string,
): void {
  const itemRules = getItemRules(item, rules.items);
  for (const name of findRequestedFields(item, itemRules)) droppedPaths.push(`${getPath()}.${name}`);
  if (item.type === 'reasoning') return;
  collectDropped(droppedPaths, item.content, {
    rows: item.role === 'assistant' ? rules.reported : rules.parts,
    place: () => `${getPath()}.content`,
  });
  collectDropped(droppedPaths, item.output, { rows: rules.parts, place: () => `${getPath()}.output` });
  collectDropped(droppedPaths, item.tool_calls, { rows: rules.calls, place: () => `${getPath()}.tool_calls` });
  collectFromTools(droppedPaths, item.tools, () => `${getPath()}.tools`);
}

/** In chat's older format, a result's `name` is the function's name, which is sent. */
function getItemRules({ type, role }: Fields, items: readonly NestedFieldRule[]): readonly NestedFieldRule[] {
  if (type === 'reasoning') return REASONING_RULES;
  return role === undefined || role === 'function' ? [] : items;
}

/** Only Responses upstreams get the text of earlier reasoning. */
const REASONING_RULES: readonly NestedFieldRule[] = [{ field: 'content', places: ['responses'] }];
/** Upstreams without namespaces get flat names and lose the namespace's description. */
const NAMESPACE_RULES: readonly NestedFieldRule[] = [{ field: 'description', places: ['responses'] }];

function collectFromTools(droppedPaths: string[], tools: unknown, getPath: () => string): void {
  toList(tools).forEach((tool, index) => {
    if (!isFields(tool) || tool.type !== 'namespace') return;
    for (const name of findRequestedFields(tool, NAMESPACE_RULES)) droppedPaths.push(`${getPath()}[${index}].${name}`);
  });
}

export function createUnsupportedError(param: string, message: string): GatewayError {
  return new GatewayError<CallCode>('unsupported_parameter', { param, message });
}

/** True if a value requests nothing. Such a field never changes a response and doesn't need to be rejected. */
export const hasNoEffect = (value: unknown): boolean =>
  !isSet(value) || value === false || (isFields(value) && Object.keys(value).length === 0);

interface FieldRule {
  /** Field names from the top level inward, joined by dots. */
  readonly path: string;
  /** Upstream protocols that either get the field or reject the call. */
  readonly places: readonly UpstreamProtocol[];
  /** The caller protocol that the row applies to. Defaults to both. */
  readonly only?: CanonicalRequest['caller'];
}
const summaryProtocols = ['responses', 'anthropic', 'gemini'] as const;

/** For upstreams with explicit cache marks, reported as dropped only if the request has no mark. */
const cacheFields = ['prompt_cache_options', 'prompt_cache_retention'];
const hintPaths = [...sharedHints.filter((name) => !cacheFields.includes(name)), 'verbosity', 'text.verbosity'];

const fieldRules: readonly FieldRule[] = [
  ...hintPaths.map((path) => ({ path, places: openAi })),
  ...cacheFields.map((path) => ({ path, places: [...openAi, 'anthropic', 'converse'] as const })),
  { path: 'seed', places: ['chat', 'anthropic', 'gemini', 'converse'] },
  // A search with settings is rejected instead.
  { path: 'web_search_options', places: ['chat'] },
  { path: 'stream_options.include_obfuscation', places: [] },
  ...['text.format.description', 'response_format.json_schema.description'].map((path) => ({
    path,
    places: [...openAi, 'converse'] as const,
  })),
  { path: 'truncation', places: ['responses'] },
  { path: 'context_management', places: ['responses'] },
  { path: 'image', places: ['responses'], only: 'responses' },
  ...['reasoning.summary', 'reasoning.generate_summary'].map((path) => ({ path, places: summaryProtocols })),
  ...['reasoning.context', 'reasoning.mode'].map((path) => ({ path, places: [] })),
  // The gateway itself stores responses of Responses callers, and their `client_metadata` is only a note of the agent.
  ...['store', 'client_metadata'].map((path) => ({ path, places: [], only: 'chat' as const })),
];

/** Fields whose meaning of "requests nothing" differs: an empty `web_search_options` requests a search. */
const defaultChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  web_search_options: (value) => !isFields(value),
  service_tier: (value) => hasNoEffect(value) || value === 'auto' || value === 'default',
  truncation: (value) => value !== 'auto',
  context_management: (value) => !Array.isArray(value) || value.length === 0,
  // 0 is a valid seed.
  seed: (value) => typeof value !== 'number',
};

/** The value at a path of field names joined by dots. */
export const getValueAt = (body: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), body);

const isPathRequested = (body: Fields, path: string): boolean => !(defaultChecks[path] ?? hasNoEffect)(getValueAt(body, path));

/** Keeps the paths that request something in this body. */
export const filterRequested = (body: Fields, paths: readonly string[]): readonly string[] =>
  paths.filter((path) => isPathRequested(body, path));

/** The fields of the body that an upstream with another protocol doesn't get, safe for a header. */
export function findDroppedFields(body: Fields, caller: CanonicalRequest['caller'], protocol: UpstreamProtocol): readonly string[] {
  const unsupportedPaths = fieldRules
    .filter(({ places, only = caller }) => only === caller && !places.includes(protocol))
    .map(({ path }) => path);
  return toHeaderNames([
    ...filterRequested(body, unsupportedPaths),
    ...findDroppedIncludes(body, protocol),
    ...findDroppedNestedFields(body, caller, protocol),
  ]);
}

/**
 * `include` values without effect. The gateway creates encrypted reasoning itself. Protocols other than chat return log probabilities only with
 * `top_logprobs`.
 */
function findDroppedIncludes({ include, top_logprobs: alternatives }: Fields, protocol: UpstreamProtocol): readonly string[] {
  if (!Array.isArray(include) || protocol === 'responses') return [];
  const hasLogprobs = protocol === 'chat' || (typeof alternatives === 'number' && alternatives > 0);
  const handledIncludes = new Set(['reasoning.encrypted_content', ...(hasLogprobs ? ['message.output_text.logprobs'] : [])]);
  return include.flatMap((name, index) => (handledIncludes.has(name) ? [] : [`include[${index}]`]));
}

/**
 * Items that are omitted with their tool, and outputs that belong to such calls. Lists of tools found by a search stay, because their tools are
 * offered.
 */
const droppableTypes = new Set(['web_search_call', 'tool_search_call', 'function_call_output', 'custom_tool_call_output']);

/** Hosted tools can be dropped because a choice that names one was already rejected. Agents offer some with every request. */
const isDropped = (part: Tool | Item): part is HostedTool | ResponsesOnlyItem =>
  part.kind === 'hosted' || (part.kind === 'foreign' && droppableTypes.has(part.type));

/** The maximum number of names in a header or log line. */
const MAX_HEADER_NAMES = 32;

/** A name is caller text, so only letters, digits, and a few punctuation marks go into a header. */
const toHeaderText = (name: string): string => name.slice(0, 64).replace(/[^\w.[\]-]/g, '?');

/** Unknown fields and the paths of omitted tools and items, safe for a header. Parts that affect the response were rejected earlier. */
export function findDroppedParts({ unknown, tools, items }: CanonicalRequest): readonly string[] {
  const droppedPaths = [...tools, ...items].filter(isDropped).map(({ path }) => path);
  return toHeaderNames([...unknown, ...droppedPaths]);
}

/** As many names as fit into a header. */
export function toHeaderNames(names: readonly string[]): readonly string[] {
  const headerNames = names.slice(0, MAX_HEADER_NAMES).map(toHeaderText);
  return names.length > MAX_HEADER_NAMES ? [...headerNames, `and-${names.length - MAX_HEADER_NAMES}-more`] : headerNames;
}

/** The top-level field that contains a path. */
export const getTopField = (path: string): string | undefined => path.split(/[.[]/, 1)[0];

/** Removes indexes, so that every call has the same path: `tools[0].name` becomes `tools[].name`. */
export const withoutIndexes = (path: string): string => path.replace(/\[\d+\]/g, '[]');
