/** Requests that two servers could read in two ways: where a body ends, what a line is, whose the next bytes are (RFC 9112, 11.2). */
import fc from 'fast-check';

/** Hidden behind an ambiguous request: if it is ever answered, bytes of one caller were taken for a request of another. */
const hidden = 'GET /v1/hidden HTTP/1.1\r\nhost: hidden\r\n\r\n';
const body = JSON.stringify({ model: 'sim', messages: [{ role: 'user', content: 'hi' }] });
const inChunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

export interface Framing {
  readonly bytes: string;
  /** Nothing may be answered but the first request, and that with a refusal. */
  readonly isAmbiguous: boolean;
  /** Has to be answered, whatever with. */
  readonly isWhole: boolean;
}

const head = (key: string, lines: readonly string[], target = '/v1/chat/completions'): string =>
  [`POST ${target} HTTP/1.1`, 'host: gateway.test', `authorization: Bearer ${key}`, 'content-type: application/json', ...lines].join(
    '\r\n',
  );

const lengths = [
  ...['+5', '-1', '0x5', '5 5', '5,5', '5, 6', '1e1', '5.0', '٥', '18446744073709551616', '99999999999999999999999', '5;a', '"5"', '5\t6'],
];
const encodings = [
  ...[
    'chunked, identity',
    'xchunked',
    'chunked;q=1',
    'identity',
    'gzip',
    'chunked, gzip',
    '"chunked"',
    'chunked\x0b',
    'chun ked',
    ',chunked,x',
  ],
];
const sizes = [
  ...[
    '-1',
    '+5',
    '0x5',
    'G',
    '',
    ' ',
    '5 5',
    '10000000000000000',
    'FFFFFFFFFFFFFFFFF',
    '7fffffffffffffffff',
    '5.',
    'ffffffffffffffff0',
    '٣',
  ],
];
const brokenLines = ['\n', '\r', '\r\r\n', '\n\r', '\u000b\r\n', '\u0000\r\n'];

const doubled = fc
  .tuple(fc.nat(200), fc.nat(200), fc.boolean())
  .map(([a, b, isCased]) => [`content-length: ${a}`, `${isCased ? 'Content-Length' : 'content-length'}: ${a === b ? b + 1 : b}`]);
const both = fc
  .tuple(fc.constantFrom('chunked', 'Chunked', ' chunked', 'chunked ', '\tchunked'), fc.nat(100), fc.boolean())
  .map(([encoding, length, isFirst]) => {
    const lines = [`transfer-encoding:${encoding}`, `content-length: ${length}`];
    return isFirst ? lines : lines.reverse();
  });
const spaced = fc.constantFrom(
  ['content-length : 5'],
  ['transfer-encoding : chunked'],
  ['transfer-encoding\t: chunked'],
  [' content-length: 5'],
);

const ambiguousHeads = fc.oneof(
  doubled,
  both,
  spaced,
  fc.constantFrom(...lengths).map((length) => [`content-length: ${length}`]),
  fc.constantFrom(...encodings).map((encoding) => [`transfer-encoding: ${encoding}`]),
  fc.constantFrom('0', '5', '').map((first) => [`transfer-encoding: chunked`, `transfer-encoding: ${first}x`]),
);

/** A head that says twice, or wrongly, where its body ends. */
const byHead = (key: string): fc.Arbitrary<Framing> =>
  fc.tuple(ambiguousHeads, fc.constantFrom(body, inChunks, `0\r\n\r\n`, 'x')).map(([lines, sent]) => ({
    bytes: `${head(key, lines)}\r\n\r\n${sent}${hidden}`,
    isAmbiguous: true,
    isWhole: true,
  }));

/** Chunks whose sizes no two readers agree on. */
const byChunk = (key: string): fc.Arbitrary<Framing> =>
  fc.tuple(fc.constantFrom(...sizes), fc.constantFrom(body, '', 'hello'), fc.constantFrom('\r\n', '\n', '')).map(([size, piece, end]) => ({
    bytes: `${head(key, ['transfer-encoding: chunked'])}\r\n\r\n${size}\r\n${piece}${end}0\r\n\r\n${hidden}`,
    isAmbiguous: true,
    isWhole: true,
  }));

const targets = [
  'http://gateway.test/v1/models',
  'http://other.test/v1/x',
  'https://x:1/v1/chat/completions',
  '*',
  'gateway.test:80',
  '//x/v1',
];
const methods = ['TRACE', 'PRI', 'GeT', 'M-SEARCH', 'POST\t', 'G@T', '', 'QUERY'];
const versions = ['HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/1.', 'HTTP/11.1', 'http/1.1', ''];
const sized = `content-length: ${body.length}`;

/** What a strict reader may refuse and a patient one may take; never as something else, and never in silence. */
const byForm = (key: string): fc.Arbitrary<Framing> => {
  const extension = fc.tuple(fc.string({ unit: 'binary-ascii', maxLength: 40 }), fc.constantFrom(1, 5, 500)).map(([piece, times]) => {
    const text = piece.replace(/[\r\n]/g, '_').repeat(times);
    const chunks = `${body.length.toString(16)};${text}\r\n${body}\r\n0\r\nx-trailer: ${text}\r\n\r\n`;
    return `${head(key, ['transfer-encoding: chunked'])}\r\n\r\n${chunks}`;
  });
  const folded = fc.constantFrom(' folded', '\tfolded', '  ', '\t').map((fold) => `${head(key, ['x-a: 1', fold, sized])}\r\n\r\n${body}`);
  const target = fc.constantFrom(...targets).map((address) => `${head(key, [sized], address)}\r\n\r\n${body}`);
  const method = fc.constantFrom(...methods).map((name) => `${name}${head(key, ['content-length: 0']).slice(4)}\r\n\r\n`);
  const version = fc.constantFrom(...versions).map((name) => `${head(key, ['content-length: 0']).replace('HTTP/1.1', name)}\r\n\r\n`);
  return fc.oneof(extension, folded, target, method, version).map((bytes) => ({ bytes, isAmbiguous: false, isWhole: true }));
};

/** Requests that end too early, or whose lines end otherwise than HTTP says, so that some of them never end. */
const byLine = (key: string): fc.Arbitrary<Framing> => {
  const lines = (more: readonly string[]): string[] => head(key, more).split('\r\n');
  const everywhere = fc.constantFrom(...brokenLines).map((end) => `${lines([sized]).join(end)}${end}${end}${body}`);
  const once = fc.tuple(fc.nat(8), fc.constantFrom(...brokenLines)).map(([at, end]) => {
    const broken = lines(['x-a: 1', 'x-b: 2', sized]).map((line, index) => `${line}${index === at ? end : '\r\n'}`);
    return `${broken.join('')}\r\n${body}`;
  });
  const short = fc.nat(body.length).map((more) => `${head(key, [`content-length: ${body.length + 1 + more}`])}\r\n\r\n${body}`);
  const cut = fc
    .integer({ min: 1, max: inChunks.length - 1 })
    .map((at) => `${head(key, ['transfer-encoding: chunked'])}\r\n\r\n${inChunks.slice(0, at)}`);
  return fc.oneof(everywhere, once, short, cut).map((bytes) => ({ bytes, isAmbiguous: false, isWhole: false }));
};

/** Bytes anywhere in a good request changed, added or taken. */
const byByte = (key: string): fc.Arbitrary<Framing> =>
  fc.tuple(fc.nat(400), fc.integer({ min: 0, max: 255 }), fc.constantFrom('change', 'add', 'cut')).map(([place, byte, what]) => {
    const good = `${head(key, [`content-length: ${body.length}`])}\r\n\r\n${body}`;
    const at = place % good.length;
    const [before, after] = [good.slice(0, at), good.slice(at + (what === 'add' ? 0 : 1))];
    return { bytes: what === 'cut' ? before : before + String.fromCharCode(byte) + after, isAmbiguous: false, isWhole: false };
  });

export const framings = (key: string): fc.Arbitrary<Framing> =>
  fc.oneof(
    { weight: 3, arbitrary: byHead(key) },
    { weight: 2, arbitrary: byChunk(key) },
    { weight: 2, arbitrary: byForm(key) },
    { weight: 2, arbitrary: byLine(key) },
    { weight: 2, arbitrary: byByte(key) },
  );
