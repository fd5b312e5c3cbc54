/** The walk over a JSON text finds each top-level field, counts fields and levels, and reads large texts in windows without losing its place. */
import { expect, test } from 'vitest';
import { outlineOf } from '../../../../server/dialects/wire/json-outline.ts';

/** Its strings hold what a walk may take for punctuation: quotes, backslashes, colons, braces, and characters of several bytes. */
const tricky = String.raw`"a\"b" : "c\\", "e":"\\\"{:,", "ü":{"n":[1,{"m":"\\\\"}]},"twice":1,"twice":2, "last": "é\u0041" `;
const WINDOW = 65_536;

test.each(Array.from({ length: tricky.length + 30 }, (_, cut) => cut))(
  'a window that ends %i bytes before the end of the fields',
  (cut) => {
    const padding = '-'.repeat(WINDOW - Buffer.byteLength(`{"padding":"",${tricky}}`) + cut);
    const bytes = Buffer.from(`{"padding":"${padding}",${tricky}}`);
    const { places, members, levels } = outlineOf(bytes);
    const values = [...places].map(([name, place]) => [name, place && JSON.parse(bytes.toString('utf8', place.valueStart, place.end))]);
    const { twice, ...once } = JSON.parse(bytes.toString());
    expect(Object.fromEntries(values)).toEqual({ ...once, twice: null });
    for (const [name, place] of places) if (place) expect(bytes.toString('utf8', place.start).startsWith(JSON.stringify(name))).toBe(true);
    expect([members, levels]).toEqual([9, 4]);
  },
);

test('text without fields', () => {
  expect(outlineOf(Buffer.from(' { } '))).toMatchObject({ members: 0, levels: 1 });
});
