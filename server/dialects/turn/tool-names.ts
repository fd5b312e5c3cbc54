/** One flat name for each tool, for upstreams that know no namespaces, and the way back. */
import { type CallCode, GatewayError, shown } from '../../errors.ts';
import type { CustomTool, FunctionTool, Tool, ToolName } from './turn.ts';

export interface WireTool {
  readonly namespace: string | null;
  readonly name: string;
  readonly form: 'function' | 'custom';
}

export interface FlatToolNames {
  /**
   * Answers for every name, also for a tool of an earlier turn that is no longer offered. Agents may leave the namespace out of a call
   * that they send back: then it is found by its name.
   */
  toWire(namespace: string | null, name: string): string;
  /** A name that was never offered is taken as a function of that name. */
  fromWire(name: string): WireTool;
  /** What a tool choice names. Throws `invalid_value` where no tool is meant by it, or more than one. */
  ofChoice(tool: ToolName): string;
}

/** Every vendor takes these; a name with anything else is changed and told apart by its hash. */
const foreign = /[^A-Za-z0-9_-]/g;
/** Some vendors want a letter or `_` in front. */
const clean = (text: string) => text.replace(foreign, '_').replace(/^(?=[0-9-])/, '_');

/** FNV-1a with 32 bits in hexadecimal: the same on every process and in every turn of a chain. */
export function shortHash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** One text for each pair: the length says where the namespace ends. */
const keyOf = (namespace: string | null, name: string) => (namespace === null ? `-${name}` : `+${namespace.length}:${namespace}/${name}`);

/** The hash is of the pair as JSON: names that were given once stay what they are. */
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
  /** Where a name lies that came without a namespace. */
  const homes = new Map([...named].map(([name, alike]) => [name, homeAmong(alike)]));

  const toWire = (given: string | null, name: string): string => {
    const namespace = given ?? homes.get(name) ?? null;
    const key = keyOf(namespace, name);
    const known = wires.get(key);
    if (known !== undefined) return known;
    const flat = namespace === null ? name : `${namespace}__${name}`;
    // `a__b` may be a plain name as well as `b` in `a`: whoever comes second is told apart.
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

/** A conversation may name them thousands of times, each time one of thousands. */
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

/** The tool of this name that a choice means: of its namespace where it names one, else outside of all, else the only one. */
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

/** The tools without those that the input offers once more, as agents do that load their tools one by one: vendors take each name once. */
export function offeredOnce<T extends Callable>(tools: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return tools.filter(({ namespace, name, path }) => {
    const key = keyOf(namespace, name);
    const isAgain = seen.has(key) && path.startsWith('input[');
    seen.add(key);
    return !isAgain;
  });
}
