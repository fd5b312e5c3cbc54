/** Writes docs/generated/response-events.md, which shows the allowed event order of a responses stream, from the contract's table. */
import {
  ANY_OUTPUT,
  BEFORE_STREAM,
  type ContentOrder,
  contentOrder,
  type Follows,
  ITEM_ADDED,
  ITEM_DONE,
  itemOrder,
  KEEPALIVE,
  type OrderedItem,
  streamOrder,
  terminalEvents,
} from '../../contract/responses/order.ts';
import { type Output, publish } from './output.ts';
import { table } from './table.ts';

const introduction = `<!-- Made by docs/generate/response-order.ts from contract/responses/order.ts. Do not edit: run \`npm run generate\`. -->

# The events of a responses stream

This page shows which event can follow which. The gateway writes its streams by this table. In development, it also checks every stream against the
table, including streams that it forwards. An event in the wrong place ends the stream as failed.

- Every event also has its \`type\` as its event name, and a \`sequence_number\`: 0, 1, 2, … without gaps.
- Items are counted by \`output_index\` in the order of their \`${ITEM_ADDED}\`. Only one item is open at a time: it ends with its \`${ITEM_DONE}\` before the next one is added.
- The last event repeats the complete response. It is exactly one of ${listed(terminalEvents)}, followed by \`data: [DONE]\`. Only the \`encrypted_content\` of reasoning can be encrypted differently there; you can send back either text.
- \`${KEEPALIVE}\` can appear anywhere between the first event and the last. It's sent during a long silence to Codex, whose timer ignores comments. All other clients get the comment \`: keepalive\`.
`;

function listed(names: readonly string[]): string {
  const marked = names.map((name) => `\`${name}\``);
  return `${marked.slice(0, -1).join(', ')} and ${marked.at(-1)}`;
}

/** Steps with their own text in the table. */
const words: Readonly<Record<string, string>> = { [BEFORE_STREAM]: 'the start of the stream', [ANY_OUTPUT]: 'any event of an item' };
const shown = (step: string) => words[step] ?? step;
const cell = (step: string) => (words[step] === undefined ? `\`${step}\`` : words[step]);

/** Draws a state diagram. Steps without a successor lead to the end state. */
function drawing(follows: Follows, first: readonly string[]): string {
  const steps = Object.keys(follows).filter((step) => step !== BEFORE_STREAM);
  const nameOf = (step: string) => `s${steps.indexOf(step)}`;
  const arrows = steps.flatMap((step) => {
    const next = follows[step] ?? [];
    return next.length === 0 ? [`${nameOf(step)} --> [*]`] : next.map((other) => `${nameOf(step)} --> ${nameOf(other)}`);
  });
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...steps.map((step) => `  state "${shown(step)}" as ${nameOf(step)}`),
    ...first.map((step) => `  [*] --> ${nameOf(step)}`),
    ...arrows.map((arrow) => `  ${arrow}`),
    '```',
  ].join('\n');
}

function rowsOf(follows: Follows): string {
  const rows = Object.entries(follows).map(([step, next]) => [cell(step), next.map(cell).join(', ') || 'none (this is the end)']);
  return table([['After', 'Can be followed by'], ...rows]);
}

const itemTitles: Readonly<Record<OrderedItem, string>> = {
  message: 'A message',
  reasoning: 'Reasoning',
  function_call: 'A function call',
  custom_tool_call: 'A free-form call',
};

// `as`: the keys are exactly the items of the table.
const items = Object.keys(itemOrder) as OrderedItem[];

const itemSection = (item: OrderedItem) =>
  ['', `## ${itemTitles[item]}: \`${item}\``, '', drawing(itemOrder[item], [ITEM_ADDED]), '', rowsOf(itemOrder[item])].join('\n');

/** For calls, the item's events open and close the content. */
function contentRow([kind, content]: [string, ContentOrder]): string[] {
  const { opens, delta, marks, done, closes, field, counter } = content;
  const events = [opens ?? ITEM_ADDED, delta, marks, done, closes ?? ITEM_DONE].filter((type) => type !== null);
  return [`\`${kind}\``, events.map((type) => `\`${type}\``).join(', '), `\`${field}\``, counter === null ? '' : `\`${counter}\``];
}

const pieces = `
## Pieces of text

Each piece of text starts empty, grows with each delta, and ends with an event that contains the complete text.

${table([['Piece', 'Events', 'Complete text in', 'Index'], ...Object.entries<ContentOrder>(contentOrder).map(contentRow)])}

Items of tools that the upstream runs, such as \`web_search_call\`, also lie between \`${ITEM_ADDED}\` and \`${ITEM_DONE}\`. The events
between them are the upstream's own.
`;

const wholeStream = ['## The stream', '', drawing(streamOrder, streamOrder[BEFORE_STREAM] ?? []), '', rowsOf(streamOrder)].join('\n');

export function responseOrderOutput(): Output {
  return { path: '../generated/response-events.md', text: [introduction, wholeStream, ...items.map(itemSection), pieces].join('\n') };
}

if (import.meta.main) publish(responseOrderOutput());
