/** Random values for the properties of dialects, and the settings of their runs. */
import fc from 'fast-check';
import { isThorough } from '../../harness/thorough.ts';

/** A fixed seed, so that failures repeat. It is printed with each failure. */
const SEED = 20_261_121;
export const runs = (numRuns: number) => ({ seed: SEED, numRuns });
/** Positions in `bytes`: each in the chaos lane, every fifth in the others. */
export const positionsIn = (bytes: Uint8Array): number[] => Array.from(bytes, (_, at) => at).filter((at) => isThorough() || at % 5 === 0);
/** For expensive properties: all of `numRuns` in the chaos lane, a fifth in the others. */
export const manyRuns = (numRuns: number) => runs(isThorough() ? numRuns : Math.ceil(numRuns / 5));

/** Text that has broken streams before: line ends, frames inside text, characters of several bytes or units. */
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
/** Text that is not blank. */
export const solid: fc.Arbitrary<string> = fc
  .oneof(fc.constantFrom('Hi', 'Grüße ☕'), words)
  .map((text) => (text.trim() === '' ? 'Hello' : text));

/** Values as JSON carries them, without -0. */
export const json: fc.Arbitrary<fc.JsonValue> = fc
  .jsonValue({ maxDepth: 3, depthSize: 'small' })
  .map((value) => JSON.parse(JSON.stringify(value)));
export const jsonObject: fc.Arbitrary<Record<string, fc.JsonValue>> = fc.dictionary(fc.string({ maxLength: 6 }), json, {
  maxKeys: 3,
  noNullPrototype: true,
});

/** A random subset of these fields. */
export const someOf = (fields: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.subarray(Object.entries(fields)).map((entries) => Object.fromEntries(entries));

/** Uniform from 0 to 1: random doubles are nearly all close to 0. */
export const share: fc.Arbitrary<number> = fc.nat({ max: 0xffff }).map((part) => part / 0x10000);
