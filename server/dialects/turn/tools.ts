/** Maps each tool to one flat name, for upstreams without namespaces, and back. */

import { isWithin, MAX_DEPTH, MAX_LEVELS } from '../../../contract/shared/bounds.ts';
import { type CallCode, GatewayError, shown } from '../../errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import { allowsObject, type Budget, isSchema, joinAll, joinEither, modernSchema, valuesIn } from './schema.ts';
import type { CustomTool, FunctionTool, Tool, ToolName } from './turn.ts';

export interface WireTool {
  readonly namespace: string | null;
  readonly name: string;
  readonly form: 'function' | 'custom';
}

export interface FlatToolNames {
  /**
   * Takes every name, also that of a tool of an earlier turn that is no longer offered. Agents may omit the namespace of a call
   * that they send back: the tool is then found by its name.
   */
  toWire(namespace: string | null, name: string): string;
  /** A name that wasn't offered is read as a function without a namespace. */
  fromWire(name: string): WireTool;
  /** The flat name of the tool that a tool choice names. Throws `invalid_value` when it names none, or tools in several namespaces. */
  ofChoice(tool: ToolName): string;
}

/** Characters that some providers reject: a name with one is changed, and gets a hash that keeps it unique. */
const foreign = /[^A-Za-z0-9_-]/g;
/** Some providers require a letter or `_` at the start. */
const clean = (text: string) => text.replace(foreign, '_').replace(/^(?=[0-9-])/, '_');

/** FNV-1a with 32 bits in hexadecimal: the same on every process and in every turn of a chain. */
export function shortHash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** A unique key for each pair: the length marks where the namespace ends. */
const keyOf = (namespace: string | null, name: string) => (namespace === null ? `-${name}` : `+${namespace.length}:${namespace}/${name}`);

/** Hashes the pair as JSON. Do not change this: names that were sent once must stay the same in later turns. */
function hashed(flat: string, { namespace, name }: ToolPlace, maxLength: number): string {
  return `${clean(flat).slice(0, maxLength - 9)}_${shortHash(JSON.stringify([namespace, name]))}`;
}

interface ToolPlace {
  readonly namespace: string | null;
  readonly name: string;
}

/** `maxLength` is the longest name that the upstream takes. */
export function flatToolNames(tools: readonly Tool[], maxLength: number): FlatToolNames {
  const wires = new Map<string, string>();
  const origins = new Map<string, WireTool>();

  const callable = tools.filter((tool) => tool.kind !== 'hosted');
  const named = byName(callable);
  /** The namespace of a name that came without one. */
  const homes = new Map([...named].map(([name, alike]) => [name, homeAmong(alike)]));

  const toWire = (given: string | null, name: string): string => {
    const namespace = given ?? homes.get(name) ?? null;
    const key = keyOf(namespace, name);
    const known = wires.get(key);
    if (known !== undefined) return known;
    const flat = namespace === null ? name : `${namespace}__${name}`;
    // `a__b` may be a plain name, or `b` in the namespace `a`: the second of them gets a hash.
    const isFree = clean(flat) === flat && flat.length <= maxLength && !origins.has(flat);
    return isFree ? flat : hashed(flat, { namespace, name }, maxLength);
  };

  for (const { kind, namespace, name } of callable) {
    const wire = toWire(namespace, name);
    wires.set(keyOf(namespace, name), wire);
    if (!origins.has(wire)) origins.set(wire, { namespace, name, form: kind });
  }

  return {
    toWire,
    fromWire: (name) => origins.get(name) ?? { namespace: null, name, form: 'function' },
    ofChoice: (choice) => {
      const { namespace, name } = chosen(choice, named.get(choice.name) ?? []);
      return toWire(namespace, name);
    },
  };
}

type Callable = FunctionTool | CustomTool;

/** An index, since a conversation may refer thousands of times to one of thousands of tools. */
function byName(tools: readonly Callable[]): ReadonlyMap<string, readonly Callable[]> {
  const named = new Map<string, Callable[]>();
  for (const tool of tools) {
    const alike = named.get(tool.name);
    if (alike) alike.push(tool);
    else named.set(tool.name, [tool]);
  }
  return named;
}

const homeAmong = (tools: readonly Callable[]): string | null =>
  tools.some(({ namespace }) => namespace === null) ? null : (tools[0]?.namespace ?? null);

/** The tool that a choice names: in the namespace that it gives; else the one outside of all namespaces; else the one in the only namespace. */
function chosen({ form, name, namespace }: ToolName, tools: readonly Callable[]): Callable {
  const named = tools.filter((tool) => namespace === undefined || tool.namespace === namespace);
  const places = new Set(named.map((tool) => tool.namespace));
  const place = places.has(null) ? null : (named[0]?.namespace ?? null);
  if (place !== null && places.size > 1) {
    throw unclear(`'tool_choice' names '${shown(name)}', which exists in several namespaces. Add 'namespace'.`);
  }
  const here = named.filter((tool) => tool.namespace === place);
  const tool = here.find(({ kind }) => kind === form) ?? here[0];
  if (tool) return tool;
  const where = namespace === undefined ? "in 'tools'" : `in namespace '${shown(namespace)}' of 'tools'`;
  throw unclear(`'tool_choice' names '${shown(name)}', which is not ${where}.`);
}

const unclear = (message: string) => new GatewayError<CallCode>('invalid_value', { param: 'tool_choice', message });

/** The tools without those that the input repeats: agents that load tools one by one do that, and providers accept each name once. */
export function offeredOnce<T extends Callable>(tools: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return tools.filter(({ namespace, name, path }) => {
    const key = keyOf(namespace, name);
    const isAgain = seen.has(key) && path.startsWith('input[');
    seen.add(key);
    return !isAgain;
  });
}

/** Throws `invalid_value` when the schema, with its references resolved, exceeds the request's budget. */
export function toolSchema(parameters: Fields, budget: Budget): Fields {
  const root = modernSchema(parameters, budget);
  const { type, properties, ...rest } = new Folder(root, budget).fold(root);
  // The arguments are an object also when the type is absent or a list such as `object` and `null`. Any other type is the caller's mistake.
  const isObject = allowsObject({ type });
  return { type: isObject ? 'object' : type, ...((properties !== undefined || isObject) && { properties: properties ?? {} }), ...rest };
}

/** The unions of a schema, each as its branches. */
type Unions = readonly (readonly Fields[])[];

class Folder {
  readonly #root: Fields;
  readonly #budget: Budget;
  /** References that are being resolved; one of them may refer to another in a circle. */
  readonly #way = new Set(['#']);
  /** The nesting of the current schema, references included. */
  #depth = 0;

  constructor(root: Fields, budget: Budget) {
    this.#root = root;
    this.#budget = budget;
  }

  /** The schema with its reference, `allOf`, `anyOf` and `oneOf` merged into it. */
  fold(schema: Fields): Fields {
    const joined: Fields[] = [];
    const unions = this.#open(schema, joined);
    return unions.reduce((whole, branches) => joinEither(whole, branches, this.#budget), joinAll(joined, this.#budget));
  }

  /** Adds the schema, its reference and its `allOf` to the list, which is merged once; returns its unions. */
  #open(schema: Fields, joined: Fields[]): Unions {
    this.#enter(schema);
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    joined.push(own);
    const isNew = typeof $ref === 'string' && !this.#way.has($ref);
    if (isNew) this.#way.add($ref);
    const target = isNew ? this.#at($ref) : null;
    if (target) this.#join(target, joined);
    for (const each of this.#listed(allOf)) this.#join(each, joined);
    const unions = [anyOf, oneOf].map((union) => this.#listed(union).map((branch) => this.fold(branch)));
    if (isNew) this.#way.delete($ref);
    this.#depth--;
    return unions;
  }

  #join(schema: Fields, joined: Fields[]): void {
    if (schema.anyOf === undefined && schema.oneOf === undefined) this.#open(schema, joined);
    else joined.push(this.fold(schema));
  }

  #enter(schema: Fields): void {
    this.#budget.spend(1 + Object.keys(schema).length);
    if (++this.#depth <= MAX_LEVELS) return;
    const { param } = this.#budget;
    const message = `'${param}' nests more than ${MAX_LEVELS} references and unions.`;
    throw new GatewayError<CallCode>('invalid_value', { param, message });
  }

  #listed(value: unknown): readonly Fields[] {
    if (!Array.isArray(value)) return [];
    this.#budget.spend(value.length);
    return value.filter(isSchema);
  }

  /** The schema at a JSON pointer within the root schema; null if it doesn't exist. */
  #at(pointer: string): Fields | null {
    if (!pointer.startsWith('#/')) return null;
    this.#budget.spend(pointer.length);
    const steps = pointer
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const found = steps.reduce<unknown>((value, step) => (isSchema(value) && Object.hasOwn(value, step) ? value[step] : null), this.#root);
    return isSchema(found) ? found : null;
  }
}

/** Begins encrypted reasoning that was packed here, for a protocol without such a text. */
const TAG = 'mg1.';
const prefixOf = (provider: string) => `${TAG}${provider}.`;

export const isPackedBy = (provider: string, encrypted: string): boolean => encrypted.startsWith(prefixOf(provider));

/** Whether it was packed here: no upstream of the responses protocol can read it. */
export const isPackedHere = (encrypted: string): boolean => encrypted.startsWith(TAG);

export function packReasoning(provider: string, value: unknown): string {
  return prefixOf(provider) + Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Null if another provider made it, or it is invalid. A caller may forge it with any amount of data: `budget` bounds the work. */
export function unpackReasoning(provider: string, encrypted: string, budget?: Budget): unknown {
  const prefix = prefixOf(provider);
  if (!encrypted.startsWith(prefix)) return null;
  const text = Buffer.from(encrypted.slice(prefix.length), 'base64url').toString();
  budget?.spend(valuesIn(text));
  try {
    const value: unknown = JSON.parse(text);
    return isWithin(value, MAX_DEPTH) ? value : null;
  } catch {
    // It wasn't packed here: this reasoning is omitted, the call continues.
    return null;
  }
}

const KEY = Buffer.from('"encrypted_content"');
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Index of the string value of a field whose name ends at `at`; -1 when it isn't a field, or its value isn't a string or is empty. */
function textStart(bytes: Buffer, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  if (bytes[next] !== COLON) return -1;
  do next++;
  while (isSpace(bytes[next]));
  return bytes[next] === QUOTE && bytes[next + 1] !== QUOTE ? next + 1 : -1;
}

/** Characters of a fingerprint: the end of the encrypted text, where its checksum is. */
const FINGERPRINT_LENGTH = 48;

/** The fingerprint of an encrypted text. */
export const fingerprintOf = (encrypted: string): string => encrypted.slice(-FINGERPRINT_LENGTH);

/**
 * Calls `each` with the fingerprint of every encrypted text in a response, whole or as frames of a stream. A name in unescaped quotes
 * before a colon is a field: no JSON string holds an unescaped quote.
 */
export function eachEncrypted(bytes: Buffer, each: (print: string) => void): void {
  for (let at = bytes.indexOf(KEY); at >= 0; at = bytes.indexOf(KEY, at + KEY.length)) {
    const start = bytes[at - 1] === BACKSLASH ? -1 : textStart(bytes, at + KEY.length);
    const end = start < 0 ? -1 : bytes.indexOf(QUOTE, start);
    // Encrypted texts are base64 or similar: they need no escapes.
    if (end > start) each(bytes.toString('latin1', Math.max(start, end - FINGERPRINT_LENGTH), end));
  }
}
