/**
 * Draws the image for a prompt: shades of one color from top to bottom, with a label in the lower rows. It is a PNG with a palette, so even a large one costs
 * little.
 */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { createExcerpt } from './excerpt.ts';
import { createRandom } from './random.ts';

interface ImageOptions {
  readonly width: number;
  readonly height: number;
  /** Equal seeds give equal colors. */
  readonly seed: number;
  /** From 2 to 253. Fewer shades look coarser. */
  readonly shades: number;
  /** Whether everything but the label is transparent. */
  readonly isTransparent: boolean;
  readonly label: readonly [caption: string, prompt: string];
}

type Color = readonly [red: number, green: number, blue: number];

/** The last palette entries. The shades come before them. */
const [BAND_INDEX, FADED_INDEX, INK_INDEX] = [253, 254, 255];
const LABEL_COLORS: readonly Color[] = [
  [12, 14, 20],
  [208, 210, 214],
  [250, 250, 246],
];

const deflateAsync = promisify(deflate);
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns a PNG file. */
export async function drawImage({ width, height, seed, shades, isTransparent, label }: ImageOptions): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per pixel (a palette index), the only compression and filter methods that PNG has, not interlaced.
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  const canvas = { width, height, rows };
  for (let y = 0; y < height; y += 1) rows.fill(Math.floor((y * shades) / height), y * (width + 1) + 1, (y + 1) * (width + 1));
  writeLabel(canvas, label);
  return Buffer.concat([
    PNG_SIGNATURE,
    createChunk('IHDR', header),
    createChunk('PLTE', createPalette(seed, shades)),
    ...(isTransparent ? [createChunk('tRNS', Buffer.alloc(BAND_INDEX))] : []),
    createChunk('IDAT', await deflateAsync(rows, { level: 1 })),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Creates shades from light to dark, while the hue shifts from a random color to an adjacent one. */
function createPalette(seed: number, shades: number): Buffer {
  const hue = 360 * createRandom(seed)();
  const palette = Buffer.alloc(3 * 256);
  for (let shade = 0; shade < shades; shade += 1)
    palette.set(toColor(hue + (40 * shade) / shades, 0.8 - (0.5 * shade) / shades), 3 * shade);
  for (const [index, color] of LABEL_COLORS.entries()) palette.set(color, 3 * (BAND_INDEX + index));
  return palette;
}

/** `hue` in degrees, `lightness` from 0 to 1. */
function toColor(hue: number, lightness: number): Color {
  const amplitude = 0.5 * Math.min(lightness, 1 - lightness);
  const toChannel = (offset: number): number => {
    const step = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(step - 3, 9 - step, 1))));
  };
  return [toChannel(0), toChannel(8), toChannel(4)];
}

function createChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}

const GLYPH_WIDTH = 5;
const GLYPH_HEIGHT = 7;

/** A character, then its seven rows from the top. Each digit is a row of five dots in base 32, with the leftmost dot in the highest bit. */
const glyphs = new Map(
  [
    'AehhvhhhBuhhuhhuCehgggheDuhhhhhuEvgguggvFvggugggGehgnhhfHhhhvhhhIe44444eJ72222icKhikokihLggggggvMhrllhhh',
    'NhhpljhhOehhhhhePuhhugggQehhhlidRuhhukihSfgge11uTv444444UhhhhhheVhhhhha4WhhhlllaXhha4ahhYhha4444Zv1248gv',
    '0ehjlphe14c4444e2eh1248v3v2421he426aiv225vgu11he668guhhe7v1248888ehhehhe9ehhf12c 0000000.00000cc,0000c48',
    `:0cc0cc0;0cc0c48!4444404?eh12404-000v000+044v440=00v0v00*04lel40/01248g0'4480000"aa00000(2488842)8422248`,
    '&cik8lid%op248j3#aavavaa@eh1dlle_000000v',
  ].flatMap((line) => (line.match(/.{8}/g) ?? []).map((glyph) => [glyph.charAt(0), glyph.slice(1)] as const)),
);
const UNKNOWN_GLYPH = 'vhhhhhv';

/** Reduces the text to the available glyphs: capitals, no accents, plain quotes. Unknown characters are drawn as a box. */
function toPlainLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[“”„«»]/gu, '"')
    .replace(/[‘’`]/gu, "'")
    .replace(/[–—]/gu, '-')
    .replace(/\s+/gu, ' ')
    .replaceAll('…', '...')
    .toUpperCase();
}

/** Whether the glyph has a dot at this position. */
function hasDot(letter: string, column: number, row: number): boolean {
  const bits = Number.parseInt((glyphs.get(letter) ?? UNKNOWN_GLYPH).charAt(row), 32);
  return ((bits >> (GLYPH_WIDTH - 1 - column)) & 1) === 1;
}

interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Rows of palette indexes, each row preceded by its filter byte. */
  readonly rows: Buffer;
}

function writeLabel(canvas: Canvas, label: ImageOptions['label']): void {
  const { width, height, rows } = canvas;
  const scale = Math.max(1, Math.round(Math.min(width, height) / 300));
  const columns = Math.floor((width - 8 * scale) / ((GLYPH_WIDTH + 1) * scale));
  const lineHeight = (GLYPH_HEIGHT + 4) * scale;
  const top = Math.max(0, height - label.length * lineHeight - 4 * scale);
  for (let y = top; y < height; y += 1) rows.fill(BAND_INDEX, y * (width + 1) + 1, (y + 1) * (width + 1));
  for (const [index, text] of label.entries()) {
    // Reserves three columns for the dots of a shortened text.
    const letters = toPlainLetters(createExcerpt(text, Math.max(4, columns - 3)));
    writeLine(canvas, letters, { top: top + 4 * scale + index * lineHeight, scale, ink: index === 0 ? FADED_INDEX : INK_INDEX });
  }
}

interface LineStyle {
  readonly top: number;
  /** Pixels per dot. */
  readonly scale: number;
  readonly ink: number;
}

function writeLine({ width, height, rows }: Canvas, letters: string, { top, scale, ink: colorIndex }: LineStyle): void {
  for (const [index, letter] of [...letters].entries()) {
    for (let dot = 0; dot < GLYPH_WIDTH * GLYPH_HEIGHT; dot += 1) {
      const [column, row] = [dot % GLYPH_WIDTH, Math.floor(dot / GLYPH_WIDTH)];
      if (!hasDot(letter, column, row)) continue;
      const left = Math.min((4 + index * (GLYPH_WIDTH + 1) + column) * scale, width);
      // A small image may not have room for both lines.
      for (let y = top + row * scale; y < Math.min(top + (row + 1) * scale, height); y += 1)
        rows.fill(colorIndex, y * (width + 1) + 1 + left, y * (width + 1) + 1 + Math.min(left + scale, width));
    }
  }
}
