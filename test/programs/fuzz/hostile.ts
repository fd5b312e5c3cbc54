/** Values that have broken parsers, logs and stores before: texts, names of fields, numbers, and JSON that no JSON.stringify writes. */
import fc from 'fast-check';

/** In headers, addresses and values of bodies: no log line may hold it. Names of fields may be logged, where they are not handed on. */
export const canary = 'canary-9f3a1c';

// TypeScript's library does not know JSON.rawJSON yet; every Node that runs this has it.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Numbers at the edges of what JSON, doubles and 64 bits can hold, as they stand in the text. */
export const edgeNumbers: readonly unknown[] = [
  ...['1e400', '-1e400', '-0', '-0.0', '0e0', '1e-400', '1E+2', '9007199254740993', '-9007199254740993', '18446744073709551616'],
  ...['9223372036854775808', '0.1e1', '1.0', '1e9999999999', '1e-9999999999', '12345678901234567890123456789012345678901234567890'],
  ...['2147483648', '-2147483649', '4294967296', '3.141592653589793238462643383279', '5e-324', '1.7976931348623157e308'],
].map(rawJSON);

const odd: readonly string[] = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udc00', '\udfff\ud800', 'x\ud83d', '\ufeff', '\uffff', '\u202e', '\u2028', '\u2029'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'then', '$ref', '$where'],
  ...['null', 'true', 'NaN', 'Infinity', '[object Object]', '-1', '0x10', '1e3', '%s%n%d', '%00', '%0d%0a', '\\', '"', "'", '`'],
  ...['\r\nx-injected: 1', '\n{"level":"error"}\n', '\u001b[31mred', '\n\ndata: [DONE]\n\n', 'data: {"a":1}\n\n', 'event: error\n'],
  ...["' OR 1=1 --", '"; DROP TABLE keys; --', '../../../../etc/passwd', '..\\..\\', 'file:///etc/passwd', 'http://169.254.169.254/'],
  ...['<script>alert(1)</script>', '$' + '{jndi:ldap://x}', '{{7*7}}', '\u{1f469}\u200d\u{1f469}\u200d\u{1f466}', 'e\u0301', 'ﷺ'],
  ...['data:image/png;base64,', 'data:image/png;base64,AAAA', 'data:,', canary, 'a'.repeat(65), 'b'.repeat(513), 'c'.repeat(1_025)],
];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 24 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...odd), fc.integer({ min: 1, max: 2_000 }))
      .map(([text, times]) => text.repeat(times).slice(0, 20_000)),
  },
);

/** Names that an object of JavaScript has already, and names that are odd by themselves. */
export const oddName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    '0',
    '-1',
    'a.b',
    'a[0]',
    'a\nb',
    '\u0000',
    '\ud800',
  ),
  oddText.map((text) => text.replaceAll(canary, 'name')),
);

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(...edgeNumbers),
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 2, 0.5, 1e21),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** An object whose own key `__proto__` is written out, as a literal would not. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const made = Object.create(null);
  for (const [name, value] of entries) Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

/** Any JSON, small. */
export const oddValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(oddName, tie('value')), { maxLength: 4 }).map(objectOf),
  ),
})).value;
