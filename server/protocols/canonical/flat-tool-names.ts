/** Maps each tool to one flat name, for upstreams without namespaces, and back. */

import { type CallCode, GatewayError, toPrintable } from '../../primitives/errors.ts';
import type { CustomTool, FunctionTool, Tool, ToolName } from './canonical-request.ts';
import { shortenWithHash } from './short-hash.ts';

export interface WireTool {
  readonly namespace: string | null;
  readonly name: string;
  readonly form: 'function' | 'custom';
}

export interface FlatToolNames {
  /**
   * Accepts every name, even that of an earlier tool that's no longer offered. Agents can omit the namespace of a call that they send back; the
   * tool is then found by its name.
   */
  toWire(namespace: string | null, name: string): string;
  /** Returns a function without a namespace if the name wasn't offered. */
  fromWire(name: string): WireTool;
  /** The flat name of the tool that a tool choice names. Throws `invalid_value` if no tool matches, or if tools in several namespaces match. */
  resolveChoice(tool: ToolName): string;
}

/** Characters that some providers reject. A name that contains one is changed and gets a hash, to keep it unique. */
const invalidCharacters = /[^A-Za-z0-9_-]/g;

/** Some providers require a letter or `_` at the start. */
const cleanName = (text: string) => text.replace(invalidCharacters, '_').replace(/^(?=[0-9-])/, '_');

/** A unique key for each pair. The length shows where the namespace ends. */
const toKey = (namespace: string | null, name: string) => (namespace === null ? `-${name}` : `+${namespace.length}:${namespace}/${name}`);

/** Hashes the pair as JSON. Don't change this: a name must stay the same in later turns. */
function hashName(flatName: string, namespace: string | null, name: string, maxLength: number): string {
  return shortenWithHash(cleanName(flatName), JSON.stringify([namespace, name]), maxLength);
}

/** `maxLength` is the length of the longest name that the upstream accepts. */
export function createFlatToolNames(tools: readonly Tool[], maxLength: number): FlatToolNames {
  const wireNames = new Map<string, string>();
  const toolsByWireName = new Map<string, WireTool>();

  const callableTools = tools.filter((tool) => tool.kind !== 'hosted');
  const toolsByName = groupByName(callableTools);
  /** The namespaces for names that arrive without one. */
  const namespacesByName = new Map([...toolsByName].map(([name, alike]) => [name, findNamespace(alike)]));

  const toWire = (requestedNamespace: string | null, name: string): string => {
    const namespace = requestedNamespace ?? namespacesByName.get(name) ?? null;
    const key = toKey(namespace, name);
    const knownName = wireNames.get(key);
    if (knownName !== undefined) return knownName;
    const flatName = namespace === null ? name : `${namespace}__${name}`;
    // `a__b` can be a plain name, or `b` in the namespace `a`. The second one gets a hash.
    const isFree = cleanName(flatName) === flatName && flatName.length <= maxLength && !toolsByWireName.has(flatName);
    return isFree ? flatName : hashName(flatName, namespace, name, maxLength);
  };

  for (const { kind, namespace, name } of callableTools) {
    const wire = toWire(namespace, name);
    wireNames.set(toKey(namespace, name), wire);
    if (!toolsByWireName.has(wire)) toolsByWireName.set(wire, { namespace, name, form: kind });
  }

  return {
    toWire,
    fromWire: (name) => toolsByWireName.get(name) ?? { namespace: null, name, form: 'function' },
    resolveChoice: (choice) => {
      const { namespace, name } = findChosenTool(choice, toolsByName.get(choice.name) ?? []);
      return toWire(namespace, name);
    },
  };
}

type CallableTool = FunctionTool | CustomTool;

/** Indexes tools by name, because a conversation can contain thousands of calls and thousands of tools. */
function groupByName(tools: readonly CallableTool[]): ReadonlyMap<string, readonly CallableTool[]> {
  const toolsByName = new Map<string, CallableTool[]>();
  for (const tool of tools) {
    const sameNameTools = toolsByName.get(tool.name);
    if (sameNameTools) sameNameTools.push(tool);
    else toolsByName.set(tool.name, [tool]);
  }
  return toolsByName;
}

const findNamespace = (tools: readonly CallableTool[]): string | null =>
  tools.some(({ namespace }) => namespace === null) ? null : (tools[0]?.namespace ?? null);

/** The tool that a choice names: in the given namespace, else the one without a namespace, else the one in the only namespace. */
function findChosenTool({ form, name, namespace }: ToolName, tools: readonly CallableTool[]): CallableTool {
  const matchingTools = tools.filter((tool) => namespace === undefined || tool.namespace === namespace);
  const namespaces = new Set(matchingTools.map((tool) => tool.namespace));
  const chosenNamespace = namespaces.has(null) ? null : (matchingTools[0]?.namespace ?? null);
  if (chosenNamespace !== null && namespaces.size > 1) {
    throw createToolChoiceError(`'tool_choice' names '${toPrintable(name)}', which exists in several namespaces. Add 'namespace'.`);
  }
  const candidates = matchingTools.filter((tool) => tool.namespace === chosenNamespace);
  const tool = candidates.find(({ kind }) => kind === form) ?? candidates[0];
  if (tool) return tool;
  const location = namespace === undefined ? "in 'tools'" : `in namespace '${toPrintable(namespace)}' of 'tools'`;
  throw createToolChoiceError(`'tool_choice' names '${toPrintable(name)}', which is not ${location}.`);
}

const createToolChoiceError = (message: string) => new GatewayError<CallCode>('invalid_value', { param: 'tool_choice', message });

/** Removes tools that the input repeats. Agents that load tools one by one repeat them, but providers accept each name only once. */
export function dedupeTools<T extends CallableTool>(tools: readonly T[]): readonly T[] {
  const seenKeys = new Set<string>();
  return tools.filter(({ namespace, name, path }) => {
    const key = toKey(namespace, name);
    const isRepeated = seenKeys.has(key) && path.startsWith('input[');
    seenKeys.add(key);
    return !isRepeated;
  });
}
