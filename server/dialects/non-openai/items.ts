/** Readies the items of a turn for upstreams that keep instructions apart from the conversation. */
import { isShallow, MAX_LEVELS } from '../../../contract/bounds.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { holdersOf } from '../turn/tool-place.ts';
import type { CallItem, ForeignItem, Item, MessageItem, OutputItem, Part, Turn } from '../turn/turn.ts';
import { valuesIn, type Work } from '../turn/work-budget.ts';
import { refuse } from './refusal.ts';

export type PlainItem = Exclude<Item, ForeignItem>;

export interface Conversation {
  /** Instructions that lead, in order. */
  readonly system: readonly string[];
  readonly items: readonly PlainItem[];
}

const isInstruction = (item: Item): item is MessageItem => item.kind === 'message' && (item.role === 'system' || item.role === 'developer');

/** Where a part was written, for errors about it: a result of a responses caller has it in its `output`. */
export const partPath = ({ kind, path }: MessageItem | OutputItem, index: number): string =>
  `${path}.${kind === 'output' && path.startsWith('input') ? 'output' : 'content'}[${index}]`;

function instructionText(item: MessageItem): string {
  const texts = item.parts.map((part, index) =>
    part.kind === 'text' ? part.text : refuse(partPath(item, index), 'instructions are text'),
  );
  return texts.join('');
}

/** Tools inside the input are offered already when they were read with the others, each with its place inside this item. */
const isOffered = ({ value, path }: ForeignItem, holders: ReadonlySet<string>): boolean =>
  (Array.isArray(value.tools) && value.tools.length === 0) || holders.has(path);

/** What may be left out without a change of what the model knows: searches that are over, and declarations that were taken up. */
const spent: Readonly<Record<string, (item: ForeignItem, holders: ReadonlySet<string>) => boolean>> = {
  web_search_call: ({ value }) => value.status === 'completed',
  additional_tools: isOffered,
  tool_search_call: () => true,
  // Read as foreign only when they answer a search.
  function_call_output: () => true,
  custom_tool_call_output: () => true,
  tool_search_output: isOffered,
};

function isKept(item: Item, holders: ReadonlySet<string>): item is PlainItem {
  if (item.kind !== 'foreign') return true;
  const isSpent = Object.hasOwn(spent, item.type) && spent[item.type]?.(item, holders);
  return isSpent ? false : refuse(`${item.path}.type`, `its upstream knows no '${item.type}'`);
}

const isFromUser = (item: PlainItem | undefined): boolean => item?.kind === 'message' && item.role !== 'assistant';

/**
 * An upstream needs something that was said. Where nobody has said anything yet, the last of the leading instructions is said as the user
 * instead: nothing is invented, and nothing is lost. `mayAssistantBegin`: otherwise the same is done where an assistant begins.
 */
export function readConversation(turn: Turn, mayAssistantBegin = false): Conversation {
  const holders = holdersOf(turn.tools);
  const items = turn.items.filter((item) => isKept(item, holders));
  const first = items.findIndex((item) => !isInstruction(item));
  const leading = first < 0 ? items.length : first;
  const opener = items.slice(leading).find((item) => item.kind !== 'reasoning');
  const mayBegin = isFromUser(opener) || (mayAssistantBegin && opener !== undefined);
  const from = leading > 0 && !mayBegin ? leading - 1 : leading;
  const instructions = items.slice(0, from).filter(isInstruction).map(instructionText);
  return { system: [turn.instructions ?? '', ...instructions].filter((text) => text.trim() !== ''), items: items.slice(from) };
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
    message: `The arguments of the call '${call.callId}' are nested deeper than ${MAX_LEVELS} levels.`,
  });

const unusable = (call: CallItem) =>
  new GatewayError<CallCode>('invalid_value', {
    param: call.path,
    message: `The arguments of the call '${call.callId}' are not a JSON object, which the upstream of this model needs.`,
  });

/** Text of a part that is nothing but text; null for the others. */
export const textOf = (part: Part): string | null => (part.kind === 'text' || part.kind === 'refusal' ? part.text : null);
