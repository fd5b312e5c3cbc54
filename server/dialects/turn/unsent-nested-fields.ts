/** Fields inside messages, items, parts and tools that an upstream of an unlike protocol has no place for: left out, and named by their place (0013). */
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { UpstreamProtocol } from './caller-field-names.ts';
import type { Turn } from './turn.ts';
import { asksNothing } from './unsupported.ts';

interface Row {
  /** Of the object that holds the field, where it is one inside the part. */
  readonly inside?: string;
  readonly field: string;
  /** Protocols whose upstreams get it, or refuse the call. */
  readonly places: readonly UpstreamProtocol[];
}

const openAi = ['chat', 'responses'] as const;
/** The mark has a place of its own in each protocol, and none in a turn. */
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
      { inside: 'file', field: 'filename', places: ['chat', 'responses', 'anthropic'] },
    ],
  },
  responses: {
    items: [{ field: 'phase', places: ['responses'] }],
    parts: [
      cacheMark,
      { field: 'detail', places: openAi },
      { field: 'filename', places: ['chat', 'responses', 'anthropic'] },
      { field: 'annotations', places: ['responses'] },
    ],
  },
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether the field asks for something: `auto` says what happens anyway, and an empty list nothing. */
const asks = (value: unknown): boolean => !asksNothing(value) && value !== 'auto' && value !== '';

/** The places of those rows that this object has set. */
function unsentOf(value: unknown, rows: readonly Row[], place: string): string[] {
  if (!isFields(value)) return [];
  const names: string[] = [];
  for (const { inside, field } of rows) {
    const holder = inside === undefined ? value : value[inside];
    if (isFields(holder) && asks(holder[field])) names.push(`${place}.${inside === undefined ? '' : `${inside}.`}${field}`);
  }
  return names;
}

/** What an upstream of this other protocol is not sent of what stands further in. Looks at each object once. */
export function unsentNestedFields(body: Fields, caller: Turn['caller'], spoken: UpstreamProtocol): readonly string[] {
  const homeless = (rows: readonly Row[]) => rows.filter(({ places }) => !places.includes(spoken));
  const rows = { items: homeless(rowsOf[caller].items), parts: homeless(rowsOf[caller].parts) };
  const list = caller === 'chat' ? 'messages' : 'input';
  const items = listOf(body[list]).flatMap((item, index) => (isFields(item) ? unsentOfItem(item, rows, `${list}[${index}]`) : []));
  return caller === 'chat' ? items : [...items, ...unsentOfTools(body.tools, 'tools')];
}

/** The functions of chat's older form are called by their `name`, which is sent. */
function unsentOfItem(item: Fields, { items, parts }: Rows, place: string): string[] {
  if (item.type === 'reasoning') return unsentOf(item, THOUGHTS, place);
  const own = item.role === undefined || item.role === 'function' ? [] : unsentOf(item, items, place);
  const held = ['content', 'output'].flatMap((name) =>
    listOf(item[name]).flatMap((part, index) => unsentOf(part, parts, `${place}.${name}[${index}]`)),
  );
  return [...own, ...held, ...unsentOfTools(item.tools, `${place}.tools`)];
}

/** Only upstreams that speak responses take thoughts back as text. */
const THOUGHTS: readonly Row[] = [{ field: 'content', places: ['responses'] }];
/** Upstreams without namespaces are sent flat names. */
const NAMESPACE: readonly Row[] = [{ field: 'description', places: ['responses'] }];

const unsentOfTools = (tools: unknown, place: string): string[] =>
  listOf(tools).flatMap((tool, index) =>
    isFields(tool) && tool.type === 'namespace' ? unsentOf(tool, NAMESPACE, `${place}[${index}]`) : [],
  );
