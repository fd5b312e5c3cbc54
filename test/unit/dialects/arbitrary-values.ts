/** Values made by chance that every property about dialects is made of, and how its runs are set. */
import fc from 'fast-check';

/** A fixed seed: a run that fails today fails tomorrow. It is printed with every failure. */
const SEED = 20_261_121;
export const runs = (numRuns: number) => ({ seed: SEED, numRuns });

/** Text that has broken streams: line ends, frames inside text, more than one byte or unit to a character. */
const nasty = [
  '',
  ' ',
  '\n\n',
  '\r\n',
  'data: [DONE]',
  'event: x\ndata: {}\n\n',
  '"\\',
  '\u2028',
  '\ufeff',
  'é',
  '☕',
  '🌍👩‍👩‍👧',
  '{"input":"',
  '\\u0041',
  '\u0000',
];
export const words: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...nasty) },
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);
/** More than spaces. */
export const solid: fc.Arbitrary<string> = fc
  .oneof(fc.constantFrom('Hi', 'Grüße ☕'), words)
  .map((text) => (text.trim() === '' ? 'Hello' : text));

/** As JSON carries it: it knows no -0. */
export const json: fc.Arbitrary<fc.JsonValue> = fc
  .jsonValue({ maxDepth: 3, depthSize: 'small' })
  .map((value) => JSON.parse(JSON.stringify(value)));
export const jsonObject: fc.Arbitrary<Record<string, fc.JsonValue>> = fc.dictionary(fc.string({ maxLength: 6 }), json, {
  maxKeys: 3,
  noNullPrototype: true,
});

/** Any of these fields, with their values. */
export const someOf = (fields: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.subarray(Object.entries(fields)).map((entries) => Object.fromEntries(entries));

/** From 0 up to 1, evenly: doubles by chance are nearly all close to 0. */
export const share: fc.Arbitrary<number> = fc.nat({ max: 0xffff }).map((part) => part / 0x10000);
