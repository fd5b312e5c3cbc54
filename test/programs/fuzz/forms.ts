/** Forms for an image edit that no browser would send. */
import fc from 'fast-check';
import { drawPng } from '../../fakes/images.ts';
import { canary, oddText } from './hostile.ts';

export interface Form {
  readonly type: string;
  readonly body: Buffer;
}

const png = drawPng().toString('latin1');
const boundary = 'XbX';

interface Piece {
  readonly disposition: string;
  readonly headers: readonly string[];
  readonly content: string;
}

const field = (name: string, content: string): Piece => ({ disposition: `form-data; name="${name}"`, headers: [], content });
const file = (name: string, filename: string, content = png): Piece => ({
  disposition: `form-data; name="${name}"; filename="${filename}"`,
  headers: ['content-type: image/png'],
  content,
});
const base: readonly Piece[] = [field('model', 'drawn'), field('prompt', 'a hat'), file('image', 'a.png')];

const inBytes = (text: string): string => Buffer.from(text).toString('latin1');
const oddNames = [
  '__proto__',
  'constructor',
  'image[__proto__]',
  'image[0]',
  'image[]',
  'mask',
  'n',
  'stream',
  'prompt',
  'images',
  'toString',
  '',
  'a[b][c]',
  'x'.repeat(200),
];
const oddFiles = [
  '../../../../etc/passwd',
  '..\\..\\x.png',
  '/etc/passwd',
  'a\u0000.png',
  'C:\\x',
  'a"b',
  '%2e%2e%2f',
  'x'.repeat(2_000),
  '',
  canary,
];
const oddHeaders = [
  'content-type: text/html',
  'content-type: multipart/mixed; boundary=YYY',
  'content-transfer-encoding: base64',
  'content-length: 5',
  'x',
  ': x',
  'a'.repeat(17_000),
  ' folded',
];

const oddPiece: fc.Arbitrary<Piece> = fc.oneof(
  fc.tuple(fc.constantFrom(...oddNames), oddText).map(([name, text]) => field(name, inBytes(text))),
  fc
    .tuple(
      fc.constantFrom('image', 'image[]', 'mask', 'prompt', 'x', 'image[1]'),
      fc.constantFrom(...oddFiles),
      fc.constantFrom(png, '', 'no png', png.slice(0, 30)),
    )
    .map(([name, filename, content]) => file(name, inBytes(filename), content)),
  fc.constantFrom(...oddHeaders).map((header) => ({ ...field('user', 'u'), headers: [header] })),
  fc
    .constantFrom(
      'form-data',
      'attachment; name="x"',
      'form-data; name=',
      "form-data; name*=utf-8''%ff",
      '',
      'form-data; name="a"; name="b"',
      'form-data; filename="x"',
    )
    .map((disposition) => ({ disposition, headers: [], content: 'x' })),
  fc
    .tuple(fc.constantFrom('n', 'partial_images', 'output_compression', 'stream'), oddText)
    .map(([name, text]) => field(name, inBytes(text))),
  fc.integer({ min: 1, max: 300_000 }).map((length) => field('prompt', 'p'.repeat(length))),
);

const write = (pieces: readonly Piece[], border = boundary): string =>
  pieces
    .map(
      ({ disposition, headers, content }) =>
        `--${border}\r\n${[`content-disposition: ${disposition}`, ...headers].join('\r\n')}\r\n\r\n${content}\r\n`,
    )
    .join('');

/** More than this says nothing new. */
const MAX_BYTES = 1_048_576;
const whole = (text: string, type = `multipart/form-data; boundary=${boundary}`): Form => ({
  type,
  body: Buffer.from(text.slice(0, MAX_BYTES), 'latin1'),
});

const oddPieces = fc
  .tuple(fc.array(oddPiece, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.constantFrom(1, 1, 1, 1, 30, 120))
  .map(([pieces, isFirst, times]) => {
    const odd = Array.from({ length: times }, () => pieces).flat();
    return whole(`${write(isFirst ? [...odd, ...base] : [...base, ...odd])}--${boundary}--\r\n`);
  });
/** Parts in their thousands, headers without an end, a form in a form. */
const oddShapes = fc.oneof(
  fc
    .constantFrom(65, 97, 2_000, 6_000)
    .map((times) => whole(`${write(Array.from({ length: times }, (_, index) => field(`f${index}`, '')))}--${boundary}--`)),
  fc.constantFrom(100, 5_000).map((times) => whole(`--${boundary}\r\n${'x-a: b\r\n'.repeat(times)}\r\n\r\n--${boundary}--`)),
  fc
    .integer({ min: 1, max: 60 })
    .map((depth) =>
      whole(`${`--${boundary}\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n\r\n`.repeat(depth)}--${boundary}--`),
    ),
  fc.constantFrom('', '--', `--${boundary}`, `--${boundary}--`, '\r\n', `--${boundary}\r\n`, 'x'.repeat(5_000)).map((text) => whole(text)),
  fc.nat().map((place) => {
    const text = `${write(base)}--${boundary}--\r\n`;
    return whole(text.slice(0, place % text.length));
  }),
  fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([place, byte]) => {
    const text = `${write(base)}--${boundary}--\r\n`;
    const at = place % text.length;
    return whole(text.slice(0, at) + String.fromCharCode(byte) + text.slice(at + 1));
  }),
);
const oddTypes = fc
  .constantFrom(
    '',
    '; boundary=',
    '; boundary=""',
    `; boundary="${boundary}"`,
    '; boundary=other',
    `; boundary=${'b'.repeat(200)}`,
    `; Boundary=${boundary}`,
    `; boundary=${boundary}; boundary=y`,
    '; charset=utf-16',
    `;boundary=${boundary};`,
    '; boundary=a b',
  )
  .map((rest) => whole(`${write(base)}--${boundary}--\r\n`, `multipart/form-data${rest}`));

export const forms: fc.Arbitrary<Form> = fc.oneof(
  { weight: 4, arbitrary: oddPieces },
  { weight: 3, arbitrary: oddShapes },
  { weight: 1, arbitrary: oddTypes },
);
