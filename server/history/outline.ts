/** A response as it is written down, and where each item stands in its texts: so that one is read without the others. */
import type { Fields } from '../../contract/rule.ts';
import { hasOutput, OUTPUT, outputOf } from '../dialects/responses/continuation.ts';
import { USUAL_TYPE } from '../dialects/responses/listed-item.ts';
import type { Part, StoredResponse } from './store.ts';

/** Where an item stands, in bytes from the start of its text. */
export interface Outlined {
  /** Its own; null where it came without one. */
  readonly id: string | null;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export type Outline = Readonly<Record<Part, readonly Outlined[]>>;

/** The texts of a response as stores keep them. */
export interface Written {
  readonly input: string;
  readonly response: string;
  /** The list of output items in `response`, in bytes; nothing at 0 where it has none. */
  readonly outputAt: number;
  readonly outputBytes: number;
  readonly outline: Outline;
}

export function writeResponse({ input, response }: Pick<StoredResponse, 'input' | 'response'>): Written {
  const given = writeList(input, 0);
  const { before, after } = writeAround(response);
  const outputAt = Buffer.byteLength(before);
  const made = writeList(outputOf(response), outputAt);
  const isListed = hasOutput(response);
  return {
    input: given.text,
    response: isListed ? before + made.text + after : before,
    outputAt: isListed ? outputAt : 0,
    outputBytes: isListed ? Buffer.byteLength(made.text) : 0,
    outline: { input: given.items, output: made.items },
  };
}

/** As JSON.stringify writes it, in two pieces: what stands before the list of output items, and what stands behind it. */
function writeAround(response: Fields): { readonly before: string; readonly after: string } {
  if (!hasOutput(response)) return { before: JSON.stringify(response), after: '' };
  const fields = Object.entries(response).filter(([, value]) => value !== undefined);
  const at = fields.findIndex(([name]) => name === OUTPUT);
  const write = ([name, value]: readonly [string, unknown]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  const before = fields.slice(0, at).map((field) => `${write(field)},`);
  const after = fields.slice(at + 1).map((field) => `,${write(field)}`);
  return { before: `{${before.join('')}"${OUTPUT}":`, after: `${after.join('')}}` };
}

interface WrittenList {
  readonly text: string;
  readonly items: readonly Outlined[];
}

/** `at`: where the list begins in its text. */
function writeList(items: readonly Fields[], at: number): WrittenList {
  const [only, second] = items;
  if (only && !second) return writeOne(only, at);
  const texts = items.map((item) => JSON.stringify(item));
  let start = at + 1;
  const outlined = items.map((item, index) => {
    const end = start + Buffer.byteLength(texts[index] ?? '');
    const place = placeOf(item, start, end);
    start = end + 1;
    return place;
  });
  return { text: `[${texts.join(',')}]`, items: outlined };
}

/** One item may be a picture of many megabytes: its text is not put together from parts, which would copy it. */
function writeOne(item: Fields, at: number): WrittenList {
  const text = JSON.stringify([item]);
  return { text, items: [placeOf(item, at + 1, at + Buffer.byteLength(text) - 1)] };
}

const placeOf = ({ id, type }: Fields, start: number, end: number): Outlined => ({
  id: typeof id === 'string' ? id : null,
  type: typeof type === 'string' ? type : USUAL_TYPE,
  start,
  end,
});

type Row = readonly [id: string | null, type: string, start: number, end: number];

/** In few letters: it is read whole, whichever of the items is wanted. */
export function packOutline({ input, output }: Outline): string {
  const pack = ({ id, type, start, end }: Outlined): Row => [id, type, start, end];
  return JSON.stringify([input.map(pack), output.map(pack)]);
}

export function unpackOutline(packed: string): Outline {
  // Packed right above.
  const [input, output] = JSON.parse(packed) as readonly [readonly Row[], readonly Row[]];
  const unpack = ([id, type, start, end]: Row): Outlined => ({ id, type, start, end });
  return { input: input.map(unpack), output: output.map(unpack) };
}
