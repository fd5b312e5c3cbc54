/** Prepares the items of a canonical request for upstreams that keep instructions apart from the conversation. */

import { isShallow, MAX_LEVELS } from '../../../contract/shared/bounds.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { getToolContainers } from '../canonical/caller-field-names.ts';
import type { CallItem, CanonicalRequest, Item, MessageItem, OutputItem, Part, ResponsesOnlyItem } from '../canonical/canonical-request.ts';
import { countValues, type WorkBudget } from '../canonical/work-budget.ts';
import { parseExact } from '../wire/exact-json.ts';
import { rejectField } from './unsupported-settings.ts';

export type PlainItem = Exclude<Item, ResponsesOnlyItem>;

interface Conversation {
  /** Leading instructions, in order. */
  readonly system: readonly string[];
  /** The last prompt cache mark in the instructions. */
  readonly mark: Part['cacheMark'];
  readonly items: readonly PlainItem[];
}

const isInstruction = (item: Item): item is MessageItem => item.kind === 'message' && (item.role === 'system' || item.role === 'developer');

/** A part's path in the caller's request, for errors. In a Responses request, the parts of a result are in `output`. */
export const getPartPath = ({ kind, path }: MessageItem | OutputItem, index: number): string =>
  `${path}.${kind === 'output' && path.startsWith('input') ? 'output' : 'content'}[${index}]`;

function getInstructionText(item: MessageItem): string {
  const texts = item.parts.map((part, index) =>
    part.kind === 'text'
      ? part.text
      : rejectField(getPartPath(item, index), 'is not supported: instructions for this model can contain only text'),
  );
  return texts.join('');
}

/** True if the tools declared in this item were already collected with the top-level tools. */
const areToolsCollected = ({ value, path }: ResponsesOnlyItem, containers: ReadonlySet<string>): boolean =>
  (Array.isArray(value.tools) && value.tools.length === 0) || containers.has(path);

/** Items that can be omitted without losing information for the model: finished searches, and tool declarations that were adopted. */
const omittableItems: Readonly<Record<string, (item: ResponsesOnlyItem, containers: ReadonlySet<string>) => boolean>> = {
  web_search_call: ({ value }) => value.status === 'completed',
  additional_tools: areToolsCollected,
  tool_search_call: () => true,
  // These outputs are foreign only if they belong to a search.
  function_call_output: () => true,
  custom_tool_call_output: () => true,
  tool_search_output: areToolsCollected,
};

function isPlainItem(item: Item, containers: ReadonlySet<string>): item is PlainItem {
  if (item.kind !== 'foreign') return true;
  const isOmittable = Object.hasOwn(omittableItems, item.type) && omittableItems[item.type]?.(item, containers);
  return isOmittable
    ? false
    : rejectField(`${item.path}.type`, `is not supported: this model's upstream has no items of type '${item.type}'`);
}

const isFromUser = (item: PlainItem | undefined): boolean => item?.kind === 'message' && item.role !== 'assistant';

/**
 * An upstream needs at least one message that isn't an instruction. If there is none, the last leading instruction becomes a user message, so
 * nothing is invented or lost. The same happens if the assistant speaks first, unless `canAssistantBegin` is set.
 */
export function readConversation(turn: CanonicalRequest, canAssistantBegin = false): Conversation {
  const containers = getToolContainers(turn.tools);
  const items = turn.items.filter((item) => isPlainItem(item, containers));
  const first = items.findIndex((item) => !isInstruction(item));
  const instructionCount = first < 0 ? items.length : first;
  const firstMessage = items.slice(instructionCount).find((item) => item.kind !== 'reasoning');
  const canBegin = isFromUser(firstMessage) || (canAssistantBegin && firstMessage !== undefined);
  const conversationStart = instructionCount > 0 && !canBegin ? instructionCount - 1 : instructionCount;
  const systemItems = items.slice(0, conversationStart).filter(isInstruction);
  const instructions = systemItems.map(getInstructionText);
  return {
    system: [turn.instructions ?? '', ...instructions].filter((text) => text.trim() !== ''),
    mark: systemItems.flatMap(({ parts }) => parts).findLast(({ cacheMark }) => cacheMark)?.cacheMark,
    items: withUniqueCallIds(items.slice(conversationStart)),
  };
}

/** Some backends count calls from 0 in every response, but these upstreams reject duplicate call IDs. */
function withUniqueCallIds(items: readonly PlainItem[]): readonly PlainItem[] {
  const ids = items.flatMap((item) => (item.kind === 'call' ? [item.callId] : []));
  const usedIds = new Set(ids);
  if (usedIds.size === ids.length) return items;
  /** The caller's ID → new IDs of calls that have no result yet. */
  const pendingIds = new Map<string, string[]>();
  return items.map((item) => {
    if (item.kind === 'output') return { ...item, callId: pendingIds.get(item.callId)?.shift() ?? item.callId };
    if (item.kind !== 'call') return item;
    const ids = pendingIds.get(item.callId);
    const callId = ids ? createUnusedId(item.callId, usedIds) : item.callId;
    usedIds.add(callId);
    pendingIds.set(item.callId, [...(ids ?? []), callId]);
    return { ...item, callId };
  });
}

function createUnusedId(id: string, usedIds: ReadonlySet<string>): string {
  let number = 2;
  while (usedIds.has(`${id}_${number}`)) number++;
  return `${id}_${number}`;
}

/** Parses the arguments of an earlier call into the object that these upstreams require. */
export function parseArguments(call: CallItem, work: WorkBudget): Readonly<Record<string, unknown>> {
  if (call.form === 'custom') return { input: call.arguments };
  work.forField(call.path).spend(countValues(call.arguments));
  const value = call.arguments.trim() === '' ? {} : parse(call);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createInvalidArgumentsError(call);
  if (!isShallow(value, MAX_LEVELS)) throw createTooDeepError(call);
  // The check above guarantees an object that isn't an array.
  return value as Readonly<Record<string, unknown>>;
}

function parse(call: CallItem): unknown {
  try {
    return parseExact(call.arguments);
  } catch {
    throw createInvalidArgumentsError(call);
  }
}

const createTooDeepError = (call: CallItem) =>
  new GatewayError<CallCode>('invalid_value', {
    param: call.path,
    message: `The arguments of call '${call.callId}' are nested more than ${MAX_LEVELS} levels deep.`,
  });

const createInvalidArgumentsError = (call: CallItem) =>
  new GatewayError<CallCode>('invalid_value', {
    param: call.path,
    message: `The arguments of call '${call.callId}' must be a JSON object for this model's upstream.`,
  });

/** The text of a text or refusal part. Null for other parts. */
export const findText = (part: Part): string | null => (part.kind === 'text' || part.kind === 'refusal' ? part.text : null);
