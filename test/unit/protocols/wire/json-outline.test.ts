/** The walk over a JSON text finds each top-level field, counts fields and levels, and reads large texts in windows without losing its place. */
import { expect, test } from 'vitest';
import { readJsonOutline } from '../../../../server/protocols/wire/json-outline.ts';

/** Its strings hold what a walk may take for punctuation: quotes, backslashes, colons, braces, and characters of several bytes. */
const tricky = String.raw`"a\"b" : "c\\", "e":"\\\"{:,", "ü":{"n":[1,{"m":"\\\\"}]},"twice":1,"twice":2, "last": "é\u0041" `;
const WINDOW = 65_536;

test.each(Array.from({ length: tricky.length + 30 }, (_, cut) => cut))(
  'reads a window that ends %i bytes before the end of the fields',
  (cut) => {
    const padding = '-'.repeat(WINDOW - Buffer.byteLength(`{"padding":"",${tricky}}`) + cut);
    const bytes = Buffer.from(`{"padding":"${padding}",${tricky}}`);
    const { places, members, levels } = readJsonOutline(bytes);
    const values = [...places].map(([name, place]) => [name, place && JSON.parse(bytes.toString('utf8', place.valueStart, place.end))]);
    const { twice, ...once } = JSON.parse(bytes.toString());
    expect(Object.fromEntries(values)).toEqual({ ...once, twice: null });
    for (const [name, place] of places) if (place) expect(bytes.toString('utf8', place.start).startsWith(JSON.stringify(name))).toBe(true);
    expect([members, levels]).toEqual([9, 4]);
  },
);

test.each([
  ['ends in the next window', ''],
  ['is many windows long', '-'.repeat(300_000)],
  ['has an escaped quote behind its first window', String.raw`${'-'.repeat(70_000)}\"${'-'.repeat(200_000)}`],
  ['has escaped quotes in several windows', String.raw`${'-'.repeat(70_000)}\"`.repeat(5)],
  ['holds many backslashes before a quote', `${'-'.repeat(70_000)}${'\\\\'.repeat(50_000)}\\"${'-'.repeat(70_000)}`],
  ['ends in escaped backslashes', `${'-'.repeat(70_000)}${'\\\\'.repeat(3)}`],
])('reads a string that %s', (_what, text) => {
  const bytes = Buffer.from(`{"long":"${text}","after":{"a":1},"last":"${text}"}`);
  const { places, members } = readJsonOutline(bytes);
  const values = [...places].map(([name, place]) => [name, place && JSON.parse(bytes.toString('utf8', place.valueStart, place.end))]);
  expect(Object.fromEntries(values)).toEqual(JSON.parse(bytes.toString()));
  expect(members).toBe(4);
});

test("A10: doesn't read a long string without quotes as text", () => {
  const bytes = Buffer.from(`{"image":"${'A'.repeat(4_000_000)}"}`);
  let read = 0;
  const decode = bytes.toString;
  bytes.toString = (encoding?: BufferEncoding, start = 0, end = bytes.length) => {
    read += Math.min(end, bytes.length) - start;
    return decode.call(bytes, encoding, start, end);
  };
  expect(readJsonOutline(bytes).places.get('image')).toEqual({ start: 1, valueStart: 9, end: 4_000_011 });
  expect(read).toBeLessThan(200_000);
});

test('reads text without fields', () => {
  expect(readJsonOutline(Buffer.from(' { } '))).toMatchObject({ members: 0, levels: 1 });
});
