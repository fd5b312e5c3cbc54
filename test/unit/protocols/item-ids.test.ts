/** Ids of items are removed from the bytes of a body, and nothing else changes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../server/primitives/fields.ts';

import { editInput, hasAgentNotes } from '../../../server/protocols/responses/edit-input.ts';

/** JSON as text: values as they are written, and objects that may have a name twice. */
type Node = { readonly text: string } | { readonly list: readonly Node[] } | { readonly fields: readonly Field[] };
type Field = readonly [name: string, value: Node];

const names = fc.oneof(
  fc.constantFrom('"id"', '"i\\u0064"', '"\\u0069d"', '"\\"id\\""', '"id\\\\"', '"input"', '"type"', '"ID"', '""', '"\\\\"', '"1"', '"é"'),
  fc.constantFrom('"internal_chat_message_metadata_passthrough"', '"drop"', '"content"'),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)),
);
const leaves = fc.oneof(
  fc.constantFrom('1', '-0.0', '1.0', '1E+2', '12345678901234567890', 'true', 'false', 'null', '""', '[]', '{}'),
  fc.constantFrom('"\\u0069d"', '"\\"id\\":1,"', '"id"', '"a\\\\"', '"{[,"', '"\\/"', '"☕ü"', '"]}"'),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => JSON.stringify(text)),
);
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves.map((text) => ({ text })),
    fc.array(tie('node'), { maxLength: 4 }).map((list) => ({ list })),
    fc.array(fc.tuple(names, tie('node')), { maxLength: 4 }).map((fields) => ({ fields })),
  ),
}));
const fields = (maxLength: number) => fc.array(fc.tuple(names, node), { maxLength });
const nameOf = ([name]: Field): unknown => JSON.parse(name);
const others = fields(5).map((all) => all.filter((field) => nameOf(field) !== 'input'));
const bodies = fc.record({
  before: others,
  items: fc.array(
    fields(6).map((all) => ({ fields: all })),
    { maxLength: 6 },
  ),
  after: others,
  space: fc.constantFrom('', ' ', '\n\t', '\r\n  '),
});

function write(value: Node, space: string): string {
  if ('text' in value) return value.text;
  const inner =
    'list' in value
      ? value.list.map((item) => write(item, space))
      : value.fields.map(([name, field]) => `${name}${space}:${space}${write(field, space)}`);
  const [open, close] = 'list' in value ? '[]' : '{}';
  return `${open}${space}${inner.join(`${space},${space}`)}${space}${close}`;
}
const parsed = (value: Node) => JSON.parse(write(value, ''));
/** The tokens of a body, without white space. */
const tokens = (text: string) => text.match(/"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/gsu);

const own = new Set<unknown>(['id', 'internal_chat_message_metadata_passthrough']);
const goes = (item: Fields) => item.drop === true;
const strip = (item: Fields) => (goes(item) ? 'drop' : hasAgentNotes(item) ? 'strip' : null);
const bodyOf = (text: string) => ({ kind: 'json' as const, value: JSON.parse(text), bytes: Buffer.from(text) });

test('F14: keeps the text of any body except for the IDs of its items', () => {
  fc.assert(
    fc.property(bodies, ({ before, items, after, space }) => {
      const around = (list: readonly Node[]): Node => ({ fields: [...before, ['"input"', { list }] as const, ...after] });
      const body = bodyOf(write(around(items), space));
      const left = items
        .filter((item) => !goes(parsed(item)))
        .map((item) => ({ fields: item.fields.filter((field) => !own.has(nameOf(field))) }));
      const edited = editInput(body, strip);
      expect(tokens(edited.bytes.toString())).toEqual(tokens(write(around(left), '')));
      expect(JSON.stringify(JSON.parse(edited.bytes.toString()))).toBe(JSON.stringify(edited.value));
    }),
    { numRuns: 500 },
  );
});

describe('a body', () => {
  test('stays unchanged without IDs', () => {
    const body = bodyOf('{"model":"m","input":[{"role":"user","content":"id"}],"id":"x"}');
    expect(editInput(body, strip)).toBe(body);
  });

  test('stays unchanged with a string as its input', () => {
    const body = bodyOf('{"input":"id"}');
    expect(editInput(body, strip)).toBe(body);
  });

  test('gets the input that was checked if it has two', () => {
    const body = bodyOf('{"input":[{"id":"a","n":1.0}],"inpu\\u0074":[{"id":"b","n":2.0}]}');
    expect(editInput(body, strip).bytes.toString()).toBe('{"input":[{"n":2}]}');
  });

  test('keeps ids that are not the name of an item', () => {
    const text =
      '{"id":"r","input":[{"id":"i","content":[{"id":"part"}],"tools":[{"parameters":{"properties":{"id":{}}}}]}],"tools":[{"id":1}]}';
    expect(editInput(bodyOf(text), strip).bytes.toString()).toBe(text.replace('"id":"i",', ''));
  });
});
