/** Readies the items of a turn for upstreams that keep instructions apart from the conversation. */
import { isShallow, MAX_LEVELS } from '../../../contract/shared/bounds.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { InputDecoder, inputDescription, inputSchema } from '../chat/custom-input.ts';
import { containersOf, toolField } from '../turn/caller-field-names.ts';
import { valuesIn, type Work } from '../turn/schema.ts';
import { type FlatToolNames, offeredOnce, shortHash, toolSchema } from '../turn/tools.ts';
import type {
  CallItem,
  CustomTool,
  FunctionTool,
  Item,
  MessageItem,
  OutputItem,
  Part,
  ResponsesOnlyItem,
  Tool,
  ToolChoice,
  Turn,
} from '../turn/turn.ts';
import { reject } from './answers.ts';

export type PlainItem = Exclude<Item, ResponsesOnlyItem>;

interface Conversation {
  /** Instructions that lead, in order. */
  readonly system: readonly string[];
  /** The last mark of the prompt cache in the instructions. */
  readonly mark: Part['cacheMark'];
  readonly items: readonly PlainItem[];
}

const isInstruction = (item: Item): item is MessageItem => item.kind === 'message' && (item.role === 'system' || item.role === 'developer');

/** Where a part was written, for errors about it: a result of a responses caller has it in its `output`. */
export const partPath = ({ kind, path }: MessageItem | OutputItem, index: number): string =>
  `${path}.${kind === 'output' && path.startsWith('input') ? 'output' : 'content'}[${index}]`;

function instructionText(item: MessageItem): string {
  const texts = item.parts.map((part, index) =>
    part.kind === 'text' ? part.text : reject(partPath(item, index), 'is not supported: instructions for this model can contain only text'),
  );
  return texts.join('');
}

/** Tools inside the input are offered already when they were read with the others, each with its place inside this item. */
const isOffered = ({ value, path }: ResponsesOnlyItem, containers: ReadonlySet<string>): boolean =>
  (Array.isArray(value.tools) && value.tools.length === 0) || containers.has(path);

/** Items that can be omitted without losing information for the model: finished searches, and declarations that were adopted. */
const spent: Readonly<Record<string, (item: ResponsesOnlyItem, containers: ReadonlySet<string>) => boolean>> = {
  web_search_call: ({ value }) => value.status === 'completed',
  additional_tools: isOffered,
  tool_search_call: () => true,
  // Read as foreign only when they answer a search.
  function_call_output: () => true,
  custom_tool_call_output: () => true,
  tool_search_output: isOffered,
};

function isKept(item: Item, containers: ReadonlySet<string>): item is PlainItem {
  if (item.kind !== 'foreign') return true;
  const isSpent = Object.hasOwn(spent, item.type) && spent[item.type]?.(item, containers);
  return isSpent ? false : reject(`${item.path}.type`, `is not supported: this model's upstream has no items of type '${item.type}'`);
}

const isFromUser = (item: PlainItem | undefined): boolean => item?.kind === 'message' && item.role !== 'assistant';

/**
 * An upstream needs at least one message. If the conversation has none yet, the last of the leading instructions is sent as a user message
 * instead: nothing is invented, and nothing is lost. `mayAssistantBegin`: otherwise the same is done where an assistant begins.
 */
export function readConversation(turn: Turn, mayAssistantBegin = false): Conversation {
  const containers = containersOf(turn.tools);
  const items = turn.items.filter((item) => isKept(item, containers));
  const first = items.findIndex((item) => !isInstruction(item));
  const leading = first < 0 ? items.length : first;
  const opener = items.slice(leading).find((item) => item.kind !== 'reasoning');
  const mayBegin = isFromUser(opener) || (mayAssistantBegin && opener !== undefined);
  const from = leading > 0 && !mayBegin ? leading - 1 : leading;
  const leaders = items.slice(0, from).filter(isInstruction);
  const instructions = leaders.map(instructionText);
  return {
    system: [turn.instructions ?? '', ...instructions].filter((text) => text.trim() !== ''),
    mark: leaders.flatMap(({ parts }) => parts).findLast(({ cacheMark }) => cacheMark)?.cacheMark,
    items: items.slice(from),
  };
}

/** The arguments of an earlier call as the object that these upstreams want. */
export function parseArguments(call: CallItem, work: Work): Readonly<Record<string, unknown>> {
  if (call.form === 'custom') return { input: call.arguments };
  work.on(call.path).spend(valuesIn(call.arguments));
  const value = call.arguments.trim() === '' ? {} : parse(call);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusable(call);
  if (!isShallow(value, MAX_LEVELS)) throw tooDeep(call);
  // Checked above to be an object and no array.
  return value as Readonly<Record<string, unknown>>;
}

function parse(call: CallItem): unknown {
  try {
    return JSON.parse(call.arguments);
  } catch {
    throw unusable(call);
  }
}

const tooDeep = (call: CallItem) =>
  new GatewayError<CallCode>('invalid_value', {
    param: call.path,
    message: `The arguments of call '${call.callId}' are nested more than ${MAX_LEVELS} levels deep.`,
  });

const unusable = (call: CallItem) =>
  new GatewayError<CallCode>('invalid_value', {
    param: call.path,
    message: `The arguments of call '${call.callId}' must be a JSON object for this model's upstream.`,
  });

/** Text of a part that is nothing but text; null for the others. */
export const textOf = (part: Part): string | null => (part.kind === 'text' || part.kind === 'refusal' ? part.text : null);

export interface MessageGroup<Block> {
  readonly role: 'user' | 'assistant';
  readonly blocks: Block[];
}
/** Its blocks are what was said: results, and what came along with them, lie ahead of that, however late they came. */
interface Growing<Block> extends MessageGroup<Block> {
  readonly results: Block[];
  readonly companions: Block[];
}

/** One by one: as arguments of one call, too many of them would overflow the stack. */
function append<Block>(to: Block[], blocks: readonly Block[]): void {
  for (const block of blocks) to.push(block);
}

/** Where a result is: its call, its own place, what it is, and what a result can't hold itself. */
interface Answer<Block> {
  readonly callId: string;
  readonly path: string;
  readonly result: Block;
  readonly companions?: readonly Block[];
}

export class Dialogue<Block> {
  readonly #groups: Growing<Block>[] = [];
  /** Call ID → the group that holds the call. */
  readonly #calls = new Map<string, number>();
  /** Reasoning waits for the text or call after it; alone it isn't a group. */
  #thoughts: Block[] = [];

  think(blocks: readonly Block[]): void {
    append(this.#thoughts, blocks);
  }

  /** Consecutive messages of one role become one group. */
  say(role: 'user' | 'assistant', blocks: readonly Block[]): void {
    if (blocks.length === 0) return;
    const thoughts = role === 'assistant' ? this.#thoughts : [];
    this.#thoughts = [];
    const last = this.#groups.at(-1);
    const group = last?.role === role ? last : this.#open(role);
    append(group.blocks, thoughts);
    append(group.blocks, blocks);
  }

  call(callId: string, block: Block): void {
    this.say('assistant', [block]);
    this.#calls.set(callId, this.#groups.length - 1);
  }

  /** All results of one group lie at the front of the next, however late they came. */
  answer({ callId, path, result, companions = [] }: Answer<Block>): void {
    const asked = this.#calls.get(callId);
    if (asked === undefined) {
      throw new GatewayError<CallCode>('invalid_value', {
        param: path,
        message: `'${path}' is the result of call '${callId}', but no earlier call has this ID.`,
      });
    }
    this.#thoughts = [];
    const group = this.#groups[asked + 1] ?? this.#open('user');
    group.results.push(result);
    append(group.companions, companions);
  }

  /** The last block when the last group is the assistant's; null otherwise. */
  get lastSaid(): Block | null {
    const last = this.#groups.at(-1);
    return last?.role === 'assistant' ? (last.blocks.at(-1) ?? null) : null;
  }

  /** Takes the last block back, to say it in another way. */
  replaceLast(blocks: readonly Block[]): void {
    this.#groups.at(-1)?.blocks.splice(-1, 1, ...blocks);
  }

  /** `param` names the field that holds the conversation. */
  end(param: string, mayAssistantBegin = false): readonly MessageGroup<Block>[] {
    const [first] = this.#groups;
    if (first === undefined || (first.role !== 'user' && !mayAssistantBegin)) {
      throw new GatewayError<CallCode>('invalid_value', {
        param,
        message: `'${param}' must begin with a user message for this model.`,
      });
    }
    return this.#groups.map(({ role, results, companions, blocks }) => ({ role, blocks: [...results, ...companions, ...blocks] }));
  }

  #open(role: 'user' | 'assistant'): Growing<Block> {
    const group = { role, blocks: [], results: [], companions: [] };
    this.#groups.push(group);
    return group;
  }
}

export type CallableTool = FunctionTool | CustomTool;

const isCallable = (tool: Tool): tool is CallableTool => tool.kind !== 'hosted';

export const callableTools = (turn: Turn): readonly CallableTool[] => offeredOnce(turn.tools.filter(isCallable));

/** Tools that can be called. `only` contains flat names, or is null for any tool. */
export interface Choice {
  readonly mode: 'auto' | 'none' | 'required';
  readonly only: readonly string[] | null;
}

/** Null if the request has no tools to choose from, or the caller set no choice. */
export function readChoice(turn: Turn, tools: readonly CallableTool[], names: FlatToolNames): Choice | null {
  const choice = turn.toolChoice;
  if (choice === null) return null;
  if (choice.kind === 'hosted') reject('tool_choice', "can't force a hosted tool: this model's upstream doesn't run any");
  if (tools.length === 0)
    return canWait(choice) ? null : reject('tool_choice', "requires a tool call, but this model's upstream can't call any of the tools");
  if (choice.kind === 'tool') return { mode: 'required', only: [names.ofChoice(choice.tool)] };
  if (choice.kind === 'allowed') return { mode: choice.mode, only: choice.tools.map(names.ofChoice) };
  return { mode: choice.kind, only: null };
}

const canWait = (choice: ToolChoice): boolean =>
  choice.kind === 'auto' || choice.kind === 'none' || (choice.kind === 'allowed' && choice.mode === 'auto');

/** The tools that may be called, for protocols that can't narrow a choice to several tools: the others aren't shown. */
export function onlyChosen<T extends { readonly name: string }>(tools: readonly T[], choice: Choice | null): readonly T[] {
  const only = choice?.only ? new Set(choice.only) : null;
  return only ? tools.filter(({ name }) => only.has(name)) : tools;
}

/** The description of a tool that is declared only because the conversation has a call of it. */
export const NOT_OFFERED = 'No longer offered.';

/** The tools that the conversation has calls of, each once. */
export function calledNames({ items }: Turn, names: FlatToolNames): readonly string[] {
  return [...new Set(items.flatMap((item) => (item.kind === 'call' ? [names.toWire(item.namespace, item.name)] : [])))];
}

/** The schema of the arguments. Throws `invalid_value` when it exceeds the request's budget. */
export const parametersOf = (tool: CallableTool, { caller }: Turn, work: Work): Readonly<Record<string, unknown>> =>
  tool.kind === 'custom' ? inputSchema : toolSchema(tool.parameters ?? {}, work.on(toolField(tool, caller, 'parameters')));

/** These upstreams can't enforce a grammar, so the description of the tool holds it. */
export const descriptionOf = (tool: CallableTool): string | null => (tool.kind === 'function' ? tool.description : inputDescription(tool));

/** The free text in the whole arguments of a wrapped tool. */
export function unwrapInput(json: string): string {
  const decoder = new InputDecoder();
  return decoder.push(json) + decoder.end();
}

const foreign = /[^A-Za-z0-9_-]/g;
/** Characters of a hash, with the underscore before it. */
const HASH = 9;

/** The ID itself where the provider takes it. IDs that other upstreams made may hold what it rejects, or be too long; the same ID becomes the same one again. */
export function plainCallId(id: string, longest = Number.POSITIVE_INFINITY): string {
  const clean = id.replace(foreign, '_');
  return clean === id && id.length <= longest ? id : `${clean.slice(0, longest - HASH)}_${shortHash(id)}`;
}
