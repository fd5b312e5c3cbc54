/** Maps each tool to one flat name, for upstreams without namespaces, and back. */
import { type CallCode, GatewayError, shown } from '../../errors.ts';
import type { CustomTool, FunctionTool, Tool, ToolName } from './turn.ts';

export interface WireTool {
  readonly namespace: string | null;
  readonly name: string;
  readonly form: 'function' | 'custom';
}

export interface FlatToolNames {
  /**
   * Takes every name, also that of a tool of an earlier turn that is no longer offered. Agents may leave out the namespace of a call
   * that they send back: the tool is then found by its name.
   */
  toWire(namespace: string | null, name: string): string;
  /** A name that was not offered is read as a function without a namespace. */
  fromWire(name: string): WireTool;
  /** The flat name of the tool that a tool choice names. Throws `invalid_value` when it names none, or tools in several namespaces. */
  ofChoice(tool: ToolName): string;
}

/** Characters that some vendors refuse: a name with one is changed, and gets a hash that keeps it unique. */
const foreign = /[^A-Za-z0-9_-]/g;
/** Some vendors require a letter or `_` at the start. */
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
    throw unclear(`'tool_choice' names '${shown(name)}', which is in several namespaces: add 'namespace'.`);
  }
  const here = named.filter((tool) => tool.namespace === place);
  const tool = here.find(({ kind }) => kind === form) ?? here[0];
  if (tool) return tool;
  const where = namespace === undefined ? "in 'tools'" : `in the namespace '${shown(namespace)}' of 'tools'`;
  throw unclear(`'tool_choice' names '${shown(name)}', which is not ${where}.`);
}

const unclear = (message: string) => new GatewayError<CallCode>('invalid_value', { param: 'tool_choice', message });

/** The tools without those that the input repeats: agents that load tools one by one do that, and vendors accept each name once. */
export function offeredOnce<T extends Callable>(tools: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return tools.filter(({ namespace, name, path }) => {
    const key = keyOf(namespace, name);
    const isAgain = seen.has(key) && path.startsWith('input[');
    seen.add(key);
    return !isAgain;
  });
}
