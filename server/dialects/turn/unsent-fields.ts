/** Fields of the contract that an upstream of another protocol doesn't have: those that a model may do without are omitted, and reported (decision 0003). */

import { type CallCode, GatewayError } from '../../errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import { sharedHints, type UpstreamProtocol } from './caller-field-names.ts';
import type { HostedTool, Item, ResponsesOnlyItem, Tool, Turn } from './turn.ts';

interface NestedRow {
  /** The name of the object inside the part that holds the field. */
  readonly inside?: string;
  readonly field: string;
  /** Upstream protocols that are sent the field, or for which the call is rejected. */
  readonly places: readonly UpstreamProtocol[];
  /** Those of them that aren't sent it in what the assistant said. */
  readonly notSaid?: readonly UpstreamProtocol[];
}

const openAi = ['chat', 'responses'] as const;
const cacheMark: NestedRow = {
  field: 'prompt_cache_breakpoint',
  places: ['responses', 'anthropic', 'converse'],
  notSaid: ['responses'],
};

interface Rows {
  readonly items: readonly NestedRow[];
  readonly parts: readonly NestedRow[];
}

const rowsOf: Readonly<Record<Turn['caller'], Rows>> = {
  chat: {
    items: [{ field: 'name', places: ['responses'] }],
    parts: [
      cacheMark,
      { inside: 'image_url', field: 'detail', places: openAi },
      { inside: 'file', field: 'filename', places: ['chat', 'responses', 'anthropic', 'converse'] },
    ],
  },
  responses: {
    items: [{ field: 'phase', places: ['responses'] }],
    parts: [
      cacheMark,
      { field: 'detail', places: openAi },
      { field: 'filename', places: ['chat', 'responses', 'anthropic', 'converse'] },
      { field: 'annotations', places: ['responses'] },
    ],
  },
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether the value asks for something: `auto` is the default, and an empty value asks for nothing. */
const asksFor = (value: unknown): boolean => !asksNothing(value) && value !== 'auto' && value !== '';

const NONE: readonly string[] = [];

/** The fields of these rows that the object sets; nearly always the shared empty list. */
function unsentOf(value: unknown, rows: readonly NestedRow[]): readonly string[] {
  if (!isFields(value)) return NONE;
  let names = NONE;
  for (const { inside, field } of rows) {
    const parent = inside === undefined ? value : value[inside];
    if (isFields(parent) && asksFor(parent[field])) names = [...names, inside === undefined ? field : `${inside}.${field}`];
  }
  return names;
}

/** Adds the fields of each object in a list. Paths are built only for fields that are found: this runs over every part of a conversation. */
function collect(
  found: string[],
  list: unknown,
  { rows, place }: { readonly rows: readonly NestedRow[]; readonly place: () => string },
): void {
  if (!Array.isArray(list)) return;
  for (let index = 0; index < list.length; index += 1)
    for (const name of unsentOf(list[index], rows)) found.push(`${place()}[${index}].${name}`);
}

/** The paths of nested fields that an upstream of this other protocol isn't sent. Reads each object once. */
function unsentNestedFields(body: Fields, caller: Turn['caller'], spoken: UpstreamProtocol): readonly string[] {
  const homeless = (rows: readonly NestedRow[]) => rows.filter(({ places }) => !places.includes(spoken));
  const { items, parts } = rowsOf[caller];
  const unsaid = parts.filter(({ places, notSaid = [] }) => !places.includes(spoken) || notSaid.includes(spoken));
  const rows = { items: homeless(items), parts: homeless(parts), said: unsaid };
  const list = caller === 'chat' ? 'messages' : 'input';
  const found: string[] = [];
  listOf(body[list]).forEach((item, index) => {
    if (isFields(item)) collectOfItem(found, item, { rows, place: () => `${list}[${index}]` });
  });
  if (caller === 'responses') collectOfTools(found, body.tools, () => 'tools');
  return found;
}

interface Seat {
  readonly rows: Rows & { readonly said: readonly NestedRow[] };
  readonly place: () => string;
}

function collectOfItem(found: string[], item: Fields, { rows, place }: Seat): void {
  const own = ownRows(item, rows.items);
  for (const name of unsentOf(item, own)) found.push(`${place()}.${name}`);
  if (item.type === 'reasoning') return;
  collect(found, item.content, { rows: item.role === 'assistant' ? rows.said : rows.parts, place: () => `${place()}.content` });
  collect(found, item.output, { rows: rows.parts, place: () => `${place()}.output` });
  collectOfTools(found, item.tools, () => `${place()}.tools`);
}

/** In chat's older form a result has the function's name as its `name`, which is sent. */
function ownRows({ type, role }: Fields, items: readonly NestedRow[]): readonly NestedRow[] {
  if (type === 'reasoning') return THOUGHTS;
  return role === undefined || role === 'function' ? [] : items;
}

/** Only upstreams of the responses protocol are sent the text of earlier reasoning. */
const THOUGHTS: readonly NestedRow[] = [{ field: 'content', places: ['responses'] }];
/** Upstreams without namespaces are sent flat names. */
const NAMESPACE: readonly NestedRow[] = [{ field: 'description', places: ['responses'] }];

function collectOfTools(found: string[], tools: unknown, place: () => string): void {
  listOf(tools).forEach((tool, index) => {
    if (!isFields(tool) || tool.type !== 'namespace') return;
    for (const name of unsentOf(tool, NAMESPACE)) found.push(`${place()}[${index}].${name}`);
  });
}

export function unsupported(param: string, message: string): GatewayError {
  return new GatewayError<CallCode>('unsupported_parameter', { param, message });
}

/** Values of fields of one protocol that ask for nothing, such as a default. */
const allowsNothing: Readonly<Record<string, (value: unknown) => boolean>> = {
  modalities: (value) => Array.isArray(value) && !value.includes('audio'),
  // When the input fits, both values mean the same; when it doesn't, the upstream responds with an error.
  truncation: () => true,
};

/** Whether a value asks for nothing; such a field changes no response and needn't be rejected. */
export const asksNothing = (value: unknown): boolean =>
  !isSet(value) || value === false || (isFields(value) && Object.keys(value).length === 0);

const operations = { chat: 'Chat Completions', responses: 'Responses' } as const;
/** Fields that both protocols have, under the same name. */
const shared = new Set(['moderation']);

/** The extra fields that this upstream is sent. Throws for the first that would change the response and that its protocol doesn't have. */
export function writeExtras({ caller, extras }: Turn, protocol: Turn['caller']): Readonly<Record<string, unknown>> {
  if (caller === protocol) return extras;
  for (const [field, value] of Object.entries(extras)) {
    if (shared.has(field) || asksNothing(value) || allowsNothing[field]?.(value)) continue;
    throw unsupported(
      field,
      `'${field}' is not supported: this model is served over the ${operations[protocol]} API, which has no equivalent.`,
    );
  }
  return Object.fromEntries(Object.entries(extras).filter(([field]) => shared.has(field)));
}

interface Row {
  /** Field names from the top level inwards, joined by dots. */
  readonly path: string;
  /** Upstream protocols that are sent the field, or for which the call is rejected. */
  readonly places: readonly UpstreamProtocol[];
  /** The caller's protocol that the row is for; absent: both. */
  readonly only?: Turn['caller'];
}
const notChat = ['responses', 'anthropic', 'gemini'] as const;

/** Upstreams that cache what is marked name them where nothing is. */
const caching = ['prompt_cache_options', 'prompt_cache_retention'];
const hints = [...sharedHints.filter((name) => !caching.includes(name)), 'verbosity', 'text.verbosity'];

const rows: readonly Row[] = [
  ...hints.map((path) => ({ path, places: openAi })),
  ...caching.map((path) => ({ path, places: [...openAi, 'anthropic', 'converse'] as const })),
  { path: 'seed', places: ['chat', 'anthropic', 'gemini', 'converse'] },
  // With settings of the search it is rejected.
  { path: 'web_search_options', places: ['chat'] },
  { path: 'stream_options.include_obfuscation', places: [] },
  ...['text.format.description', 'response_format.json_schema.description'].map((path) => ({
    path,
    places: [...openAi, 'converse'] as const,
  })),
  { path: 'truncation', places: ['responses'] },
  { path: 'context_management', places: ['responses'] },
  { path: 'image', places: ['responses'], only: 'responses' },
  ...['reasoning.summary', 'reasoning.generate_summary'].map((path) => ({ path, places: notChat })),
  ...['reasoning.context', 'reasoning.mode'].map((path) => ({ path, places: [] })),
  // For responses callers the gateway itself stores answers, and `client_metadata` is the agent's own note.
  ...['store', 'client_metadata'].map((path) => ({ path, places: [], only: 'chat' as const })),
];

/** Fields with a separate rule for values that request nothing: an empty object asks for a search, a default asks for nothing. */
const saysNothing: Readonly<Record<string, (value: unknown) => boolean>> = {
  web_search_options: (value) => !isFields(value),
  service_tier: (value) => asksNothing(value) || value === 'auto' || value === 'default',
  truncation: (value) => value !== 'auto',
  context_management: (value) => !Array.isArray(value) || value.length === 0,
  // Zero is a valid seed.
  seed: (value) => typeof value !== 'number',
};

const valueAt = (body: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), body);

const asks = (body: Fields, path: string): boolean => !(saysNothing[path] ?? asksNothing)(valueAt(body, path));

/** Those of `paths` that ask for something in this body. */
export const askedOf = (body: Fields, paths: readonly string[]): readonly string[] => paths.filter((path) => asks(body, path));

/** The fields of the body that an upstream of this other protocol isn't sent, fit for a header. */
export function unsentFields(body: Fields, caller: Turn['caller'], spoken: UpstreamProtocol): readonly string[] {
  const homeless = rows.filter(({ places, only = caller }) => only === caller && !places.includes(spoken)).map(({ path }) => path);
  return fitForHeader([...askedOf(body, homeless), ...unsentOutput(body, spoken), ...unsentNestedFields(body, caller, spoken)]);
}

/** The values of `include` that have no effect. The gateway makes encrypted reasoning; other protocols than chat give log probabilities only with `top_logprobs`. */
function unsentOutput({ include, top_logprobs: alternatives }: Fields, spoken: UpstreamProtocol): readonly string[] {
  if (!Array.isArray(include) || spoken === 'responses') return [];
  const isTold = spoken === 'chat' || (typeof alternatives === 'number' && alternatives > 0);
  const made = new Set(['reasoning.encrypted_content', ...(isTold ? ['message.output_text.logprobs'] : [])]);
  return include.flatMap((name, index) => (made.has(name) ? [] : [`include[${index}]`]));
}

/** Items that are omitted with their tool, and outputs that answer such a call. The list of tools that a search found stays: its tools are offered. */
const searches = new Set(['web_search_call', 'tool_search_call', 'function_call_output', 'custom_tool_call_output']);

/** A hosted tool is merely offered here: a choice that names it was rejected before. Agents offer some with every request. */
const isLeftOut = (part: Tool | Item): part is HostedTool | ResponsesOnlyItem =>
  part.kind === 'hosted' || (part.kind === 'foreign' && searches.has(part.type));

/** The most names in a header, and in a line of the log. */
const MOST = 32;

/** A name is text of the caller: only letters, digits and a few marks of it may go into a header. */
const headerText = (name: string): string => name.slice(0, 64).replace(/[^\w.[\]-]/g, '?');

/** Unknown fields, and the places of tools and items that are omitted, fit for a header. A part that the response depends on was rejected before. */
export function leftOut({ unknown, tools, items }: Turn): readonly string[] {
  const places = [...tools, ...items].filter(isLeftOut).map(({ path }) => path);
  return fitForHeader([...unknown, ...places]);
}

/** As many of the names as a header holds. */
export function fitForHeader(names: readonly string[]): readonly string[] {
  const told = names.slice(0, MOST).map(headerText);
  return names.length > MOST ? [...told, `and-${names.length - MOST}-more`] : told;
}

/** The field of the body that a path is inside of. */
export const topField = (path: string): string | undefined => path.split(/[.[]/, 1)[0];

/** The same path for every call: `tools[0].name` becomes `tools[].name`. */
export const withoutPositions = (path: string): string => path.replace(/\[\d+\]/g, '[]');
