/** Fields inside messages, items, parts and tools that an upstream of another protocol does not have: they are left out, and reported by path (0013). */
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { UpstreamProtocol } from './caller-field-names.ts';
import type { Turn } from './turn.ts';
import { asksNothing } from './unsupported.ts';

interface Row {
  /** The name of the object inside the part that holds the field. */
  readonly inside?: string;
  readonly field: string;
  /** Upstream protocols that are sent the field, or for which the call is refused. */
  readonly places: readonly UpstreamProtocol[];
}

const openAi = ['chat', 'responses'] as const;
/** A turn has no field for a cache breakpoint. */
const cacheMark: Row = { field: 'prompt_cache_breakpoint', places: [] };

interface Rows {
  readonly items: readonly Row[];
  readonly parts: readonly Row[];
}

const rowsOf: Readonly<Record<Turn['caller'], Rows>> = {
  chat: {
    items: [{ field: 'name', places: ['responses'] }],
    parts: [
      cacheMark,
      { inside: 'image_url', field: 'detail', places: openAi },
      { inside: 'file', field: 'filename', places: ['chat', 'responses', 'anthropic', 'converse'] },
    ],
  },
  responses: {
    items: [{ field: 'phase', places: ['responses'] }],
    parts: [
      cacheMark,
      { field: 'detail', places: openAi },
      { field: 'filename', places: ['chat', 'responses', 'anthropic', 'converse'] },
      { field: 'annotations', places: ['responses'] },
    ],
  },
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether the value asks for something: `auto` is the default, and an empty value asks for nothing. */
const asks = (value: unknown): boolean => !asksNothing(value) && value !== 'auto' && value !== '';

const NONE: readonly string[] = [];

/** The fields of these rows that the object sets; nearly always the shared empty list. */
function unsentOf(value: unknown, rows: readonly Row[]): readonly string[] {
  if (!isFields(value)) return NONE;
  let names = NONE;
  for (const { inside, field } of rows) {
    const holder = inside === undefined ? value : value[inside];
    if (isFields(holder) && asks(holder[field])) names = [...names, inside === undefined ? field : `${inside}.${field}`];
  }
  return names;
}

/** Adds the fields of each object in a list. Paths are built only for fields that are found: this runs over every part of a conversation. */
function collect(found: string[], list: unknown, { rows, place }: { readonly rows: readonly Row[]; readonly place: () => string }): void {
  if (!Array.isArray(list)) return;
  for (let index = 0; index < list.length; index += 1)
    for (const name of unsentOf(list[index], rows)) found.push(`${place()}[${index}].${name}`);
}

/** The paths of nested fields that an upstream of this other protocol is not sent. Reads each object once. */
export function unsentNestedFields(body: Fields, caller: Turn['caller'], spoken: UpstreamProtocol): readonly string[] {
  const homeless = (rows: readonly Row[]) => rows.filter(({ places }) => !places.includes(spoken));
  const rows = { items: homeless(rowsOf[caller].items), parts: homeless(rowsOf[caller].parts) };
  const list = caller === 'chat' ? 'messages' : 'input';
  const found: string[] = [];
  listOf(body[list]).forEach((item, index) => {
    if (isFields(item)) collectOfItem(found, item, { rows, place: () => `${list}[${index}]` });
  });
  if (caller === 'responses') collectOfTools(found, body.tools, () => 'tools');
  return found;
}

interface Seat {
  readonly rows: Rows;
  readonly place: () => string;
}

function collectOfItem(found: string[], item: Fields, { rows, place }: Seat): void {
  const own = ownRows(item, rows.items);
  for (const name of unsentOf(item, own)) found.push(`${place()}.${name}`);
  if (item.type === 'reasoning') return;
  collect(found, item.content, { rows: rows.parts, place: () => `${place()}.content` });
  collect(found, item.output, { rows: rows.parts, place: () => `${place()}.output` });
  collectOfTools(found, item.tools, () => `${place()}.tools`);
}

/** In chat's older form a result has the function's name as its `name`, which is sent. */
function ownRows({ type, role }: Fields, items: readonly Row[]): readonly Row[] {
  if (type === 'reasoning') return THOUGHTS;
  return role === undefined || role === 'function' ? [] : items;
}

/** Only upstreams of the responses protocol are sent the text of earlier reasoning. */
const THOUGHTS: readonly Row[] = [{ field: 'content', places: ['responses'] }];
/** Upstreams without namespaces are sent flat names. */
const NAMESPACE: readonly Row[] = [{ field: 'description', places: ['responses'] }];

function collectOfTools(found: string[], tools: unknown, place: () => string): void {
  listOf(tools).forEach((tool, index) => {
    if (!isFields(tool) || tool.type !== 'namespace') return;
    for (const name of unsentOf(tool, NAMESPACE)) found.push(`${place()}[${index}].${name}`);
  });
}
