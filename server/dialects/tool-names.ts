/** One flat name for each tool, for upstreams that know no namespaces, and the way back (specification 4: tools). */
import type { Tool, ToolName } from './turn.ts';

export interface WireTool {
  readonly namespace: string | null;
  readonly name: string;
  readonly form: 'function' | 'custom';
}

export interface FlatToolNames {
  /** Answers for every name, also for a tool of an earlier turn that is no longer offered. */
  toWire(namespace: string | null, name: string): string;
  /** A name that was never offered is taken as a function of that name. */
  fromWire(name: string): WireTool;
  /** What a tool choice names; a choice says nothing of namespaces, so the offered tools are asked. */
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

const keyOf = (namespace: string | null, name: string) => JSON.stringify([namespace, name]);

function hashed(name: string, key: string, maxLength: number): string {
  return `${clean(name).slice(0, maxLength - 9)}_${shortHash(key)}`;
}

/** `maxLength` is the longest name that the upstream takes. */
export function flatToolNames(tools: readonly Tool[], maxLength: number): FlatToolNames {
  const wires = new Map<string, string>();
  const origins = new Map<string, WireTool>();

  const toWire = (namespace: string | null, name: string): string => {
    const key = keyOf(namespace, name);
    const known = wires.get(key);
    if (known !== undefined) return known;
    const flat = namespace === null ? name : `${namespace}__${name}`;
    // `a__b` may be a plain name as well as `b` in `a`: whoever comes second is told apart.
    const isFree = clean(flat) === flat && flat.length <= maxLength && !origins.has(flat);
    return isFree ? flat : hashed(flat, key, maxLength);
  };

  const callable = tools.filter((tool) => tool.kind !== 'hosted');
  for (const { kind, namespace, name } of callable) {
    const wire = toWire(namespace, name);
    wires.set(keyOf(namespace, name), wire);
    if (!origins.has(wire)) origins.set(wire, { namespace, name, form: kind });
  }

  return {
    toWire,
    fromWire: (name) => origins.get(name) ?? { namespace: null, name, form: 'function' },
    ofChoice: ({ form, name }) => {
      const tool = callable.find((each) => each.name === name && each.kind === form) ?? callable.find((each) => each.name === name);
      return toWire(tool?.namespace ?? null, name);
    },
  };
}
