/** The order of events in a responses stream, as data for writers, checks, and diagrams. */

export type OrderedItem = 'message' | 'reasoning' | 'function_call' | 'custom_tool_call';

/** The events of one content part. For calls, the item itself opens and closes the content, so `opens` and `closes` are null. */
export interface ContentOrder {
  readonly item: OrderedItem;
  /** The field with the index of the part. Null if an item has only one part. */
  readonly counter: 'content_index' | 'summary_index' | null;
  readonly opens: string | null;
  readonly delta: string;
  /** Events that can come between deltas. */
  readonly marks: string | null;
  readonly done: string;
  /** The field with the complete text, in the `done` event and in the part. */
  readonly field: 'text' | 'refusal' | 'arguments' | 'input';
  readonly closes: string | null;
}

const part = { counter: 'content_index', opens: 'response.content_part.added', closes: 'response.content_part.done', marks: null } as const;
const callContent = { counter: null, opens: null, closes: null, marks: null } as const;

/** By the type of the part, or by the name of the call's field. */
export const contentOrder = {
  output_text: {
    ...part,
    item: 'message',
    delta: 'response.output_text.delta',
    marks: 'response.output_text.annotation.added',
    done: 'response.output_text.done',
    field: 'text',
  },
  refusal: { ...part, item: 'message', delta: 'response.refusal.delta', done: 'response.refusal.done', field: 'refusal' },
  summary_text: {
    item: 'reasoning',
    counter: 'summary_index',
    opens: 'response.reasoning_summary_part.added',
    delta: 'response.reasoning_summary_text.delta',
    marks: null,
    done: 'response.reasoning_summary_text.done',
    field: 'text',
    closes: 'response.reasoning_summary_part.done',
  },
  reasoning_text: {
    ...part,
    item: 'reasoning',
    delta: 'response.reasoning_text.delta',
    done: 'response.reasoning_text.done',
    field: 'text',
  },
  arguments: {
    ...callContent,
    item: 'function_call',
    delta: 'response.function_call_arguments.delta',
    done: 'response.function_call_arguments.done',
    field: 'arguments',
  },
  input: {
    ...callContent,
    item: 'custom_tool_call',
    delta: 'response.custom_tool_call_input.delta',
    done: 'response.custom_tool_call_input.done',
    field: 'input',
  },
} as const satisfies Record<string, ContentOrder>;
export type ContentKind = keyof typeof contentOrder;

export const ITEM_ADDED = 'response.output_item.added';
export const ITEM_DONE = 'response.output_item.done';

/** The steps that can follow each step. A step is an event type. If several part types share the event, the part type is added. */
export type Follows = Readonly<Record<string, readonly string[]>>;

/** Returns the step of an event about a part: `response.content_part.added output_text`. */
export const toPartStep = (type: string, kind: string) => `${type} ${kind}`;

const contentEntries = Object.entries<ContentOrder>(contentOrder);

function listContentSteps([kind, content]: [string, ContentOrder], beginnings: readonly string[]): Follows {
  const { opens, delta, marks, done, closes } = content;
  const contentSteps = [delta, ...(marks === null ? [] : [marks]), done];
  const innerSteps = { [delta]: contentSteps, ...(marks !== null && { [marks]: contentSteps }) };
  if (opens === null || closes === null) return { ...innerSteps, [done]: [ITEM_DONE] };
  const closeStep = toPartStep(closes, kind);
  return { [toPartStep(opens, kind)]: contentSteps, ...innerSteps, [done]: [closeStep], [closeStep]: [...beginnings, ITEM_DONE] };
}

function listItemSteps(item: OrderedItem): Follows {
  const itemContents = contentEntries.filter(([, content]) => content.item === item);
  const beginnings = itemContents.flatMap(([kind, { opens, delta, done }]) => (opens === null ? [delta, done] : [toPartStep(opens, kind)]));
  const canBeEmpty = itemContents.some(([, { opens }]) => opens !== null);
  const steps = itemContents.map((content) => listContentSteps(content, beginnings));
  return Object.assign({ [ITEM_ADDED]: canBeEmpty ? [...beginnings, ITEM_DONE] : beginnings }, ...steps, { [ITEM_DONE]: [] });
}

/** The order within one item. Only one item is open at a time, because clients run a call when it's done, before the next item starts. */
export const itemOrder: Readonly<Record<OrderedItem, Follows>> = {
  message: listItemSteps('message'),
  reasoning: listItemSteps('reasoning'),
  function_call: listItemSteps('function_call'),
  custom_tool_call: listItemSteps('custom_tool_call'),
};

export const terminalEvents = ['response.completed', 'response.incomplete', 'response.failed'] as const;
/** Stands for every event that belongs to an item. */
export const ANY_OUTPUT = 'output';
/** The state before the first event. */
export const BEFORE_STREAM = 'start';

const streamingSteps = [ANY_OUTPUT, 'error', ...terminalEvents];

/** The order within the stream. Only `data: [DONE]` follows a terminal event. */
export const streamOrder: Follows = {
  [BEFORE_STREAM]: ['response.created'],
  'response.created': ['response.queued', 'response.in_progress', 'error', 'response.failed'],
  'response.queued': ['response.in_progress', 'error', 'response.failed'],
  'response.in_progress': streamingSteps,
  [ANY_OUTPUT]: streamingSteps,
  error: ['response.failed'],
  'response.completed': [],
  'response.incomplete': [],
  'response.failed': [],
};

/** Can appear anywhere between the first event and the terminal event. */
export const KEEPALIVE = 'keepalive';
