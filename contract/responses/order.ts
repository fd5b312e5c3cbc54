/** The order of events in a responses stream, as data for writers, checks and diagrams. */

export type OrderedItem = 'message' | 'reasoning' | 'function_call' | 'custom_tool_call';

/** The events of one piece of content. The item of a call opens and closes its content, so `opens` and `closes` are null there. */
export interface ContentOrder {
  readonly item: OrderedItem;
  /** The field that counts the pieces of one item; null when an item has only one. */
  readonly counter: 'content_index' | 'summary_index' | null;
  readonly opens: string | null;
  readonly delta: string;
  /** Events that can come between deltas. */
  readonly marks: string | null;
  readonly done: string;
  /** The field that holds the complete text, in `done` and in the part. */
  readonly field: 'text' | 'refusal' | 'arguments' | 'input';
  readonly closes: string | null;
}

const part = { counter: 'content_index', opens: 'response.content_part.added', closes: 'response.content_part.done', marks: null } as const;
const callContent = { counter: null, opens: null, closes: null, marks: null } as const;

/** By the type of the part, or by the field of the call. */
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

/** Which step may follow which. A step is the type of an event, followed by the type of the part when several kinds of part share that event. */
export type Follows = Readonly<Record<string, readonly string[]>>;

/** The step of an event about a part: `response.content_part.added output_text`. */
export const partStep = (type: string, kind: string) => `${type} ${kind}`;

const contents = Object.entries<ContentOrder>(contentOrder);

function contentSteps([kind, content]: [string, ContentOrder], beginnings: readonly string[]): Follows {
  const { opens, delta, marks, done, closes } = content;
  const within = [delta, ...(marks === null ? [] : [marks]), done];
  const inner = { [delta]: within, ...(marks !== null && { [marks]: within }) };
  if (opens === null || closes === null) return { ...inner, [done]: [ITEM_DONE] };
  const close = partStep(closes, kind);
  return { [partStep(opens, kind)]: within, ...inner, [done]: [close], [close]: [...beginnings, ITEM_DONE] };
}

function itemSteps(item: OrderedItem): Follows {
  const own = contents.filter(([, content]) => content.item === item);
  const beginnings = own.flatMap(([kind, { opens, delta, done }]) => (opens === null ? [delta, done] : [partStep(opens, kind)]));
  const isEmptyLegal = own.some(([, { opens }]) => opens !== null);
  const steps = own.map((content) => contentSteps(content, beginnings));
  return Object.assign({ [ITEM_ADDED]: isEmptyLegal ? [...beginnings, ITEM_DONE] : beginnings }, ...steps, { [ITEM_DONE]: [] });
}

/** Order within one item. One item is open at a time: clients run a call when it is done, and the next one must not have taken its place. */
export const itemOrder: Readonly<Record<OrderedItem, Follows>> = {
  message: itemSteps('message'),
  reasoning: itemSteps('reasoning'),
  function_call: itemSteps('function_call'),
  custom_tool_call: itemSteps('custom_tool_call'),
};

export const terminalEvents = ['response.completed', 'response.incomplete', 'response.failed'] as const;
/** Stands for every event that belongs to an item. */
export const ANY_OUTPUT = 'output';
/** The state before the first event. */
export const BEFORE_STREAM = 'start';

const running = [ANY_OUTPUT, 'error', ...terminalEvents];

/** Order within the stream. Only `data: [DONE]` follows a terminal event. */
export const streamOrder: Follows = {
  [BEFORE_STREAM]: ['response.created'],
  'response.created': ['response.queued', 'response.in_progress', 'error', 'response.failed'],
  'response.queued': ['response.in_progress', 'error', 'response.failed'],
  'response.in_progress': running,
  [ANY_OUTPUT]: running,
  error: ['response.failed'],
  'response.completed': [],
  'response.incomplete': [],
  'response.failed': [],
};

/** Can come anywhere between the first event and the terminal one. */
export const KEEPALIVE = 'keepalive';
