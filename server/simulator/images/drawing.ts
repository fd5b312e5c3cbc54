/** Draws the picture for a prompt: a sky, a sun or a moon, hills one behind the other; the prompt decides on all of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRandom, excerpt } from '../scenarios.ts';

interface SceneOptions {
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly prompt: string;
  /** Leaves the sky out. */
  readonly isTransparent: boolean;
}

interface Light {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: Colour;
  readonly glow: number;
}

const HILL_LAYERS = 5;
/** Rows drawn before other requests get their turn. */
const ROWS_PER_TURN = 256;

const hues: Readonly<Record<string, number>> = {
  red: 2,
  orange: 26,
  yellow: 46,
  gold: 42,
  green: 130,
  teal: 176,
  blue: 216,
  purple: 276,
  violet: 268,
  pink: 328,
};

/** The same options give the same picture. */
export async function drawScene({ width, height, seed, prompt, isTransparent }: SceneOptions): Promise<Picture> {
  const random = createRandom(seed);
  const picture = createPicture(width, height);
  const isNight = /\b(night|moon|stars?|dark|space)\b/i.test(prompt) || random() < 0.2;
  const hue = chooseHue(prompt, random);
  const low = createColour(hue + 24, 0.68, isNight ? 0.3 : 0.82);
  const high = createColour(hue - 14, 0.46, isNight ? 0.08 : 0.5);
  if (!isTransparent) drawSky(picture, high, low);
  if (!isTransparent && isNight) drawStars(picture, random);
  drawLight(picture, placeLight(picture, random, isNight), isTransparent);
  for (let layer = 0; layer < HILL_LAYERS; layer += 1) {
    const nearness = (layer + 1) / HILL_LAYERS;
    const crest = createColour(hue + 30 * nearness, 0.42, isNight ? 0.26 - 0.2 * nearness : 0.64 - 0.48 * nearness);
    await drawHills(picture, createRidge(picture, layer, random), { crest, mist: mixColours(crest, low, 0.45) });
  }
  return picture;
}

function chooseHue(prompt: string, random: () => number): number {
  const named = (prompt.toLowerCase().match(/[a-z]+/g) ?? []).find((word) => Object.hasOwn(hues, word));
  const chance = 360 * random();
  return 360 + (named === undefined ? chance : (hues[named] ?? chance));
}

function drawSky({ width, height, pixels }: Picture, high: Colour, low: Colour): void {
  for (let y = 0; y < height; y += 1) {
    pixels.fill(packColour(mixColours(high, low, Math.min(1, (y / height) * 1.5))), y * width, (y + 1) * width);
  }
}

function drawStars(picture: Picture, random: () => number): void {
  for (let star = 0; star < 140; star += 1) {
    const y = Math.floor(random() * picture.height * 0.6);
    const x = Math.floor(random() * (picture.width - 1));
    const share = 0.25 + 0.7 * random();
    blendPixel(picture, y * picture.width + x, [255, 255, 255], share);
    if (share > 0.7) blendPixel(picture, y * picture.width + x + 1, [255, 255, 255], share / 2);
  }
}

function placeLight({ width, height }: Picture, random: () => number, isNight: boolean): Light {
  const small = Math.min(width, height);
  return {
    x: width * (0.2 + 0.6 * random()),
    y: height * (0.16 + 0.24 * random()),
    radius: small * (0.06 + 0.06 * random()),
    colour: isNight ? [238, 240, 250] : createColour(44 + 12 * random(), 1, 0.88),
    glow: isNight ? 0.35 : 0.6,
  };
}

/** A disc with a soft rim, and around it a glow that fades. */
function drawLight(picture: Picture, { x: midX, y: midY, radius, colour, glow }: Light, isBare: boolean): void {
  const reach = isBare ? radius + 1 : radius * 4;
  for (let y = Math.max(0, Math.floor(midY - reach)); y < Math.min(picture.height, midY + reach); y += 1) {
    for (let x = Math.max(0, Math.floor(midX - reach)); x < Math.min(picture.width, midX + reach); x += 1) {
      const distance = Math.hypot(x - midX, y - midY);
      const disc = Math.max(0, Math.min(1, radius - distance + 0.5));
      const halo = isBare ? 0 : glow * Math.max(0, 1 - distance / reach) ** 2;
      if (disc > 0 || halo > 0) blendPixel(picture, y * picture.width + x, colour, Math.max(disc, halo));
    }
  }
}

/** Height of the crest in each column, as waves of falling size. */
function createRidge({ width, height }: Picture, layer: number, random: () => number): Float64Array {
  const base = height * (0.46 + 0.105 * layer + 0.04 * random());
  const waves = [1, 2, 4, 9].map((waveNumber) => ({
    turns: waveNumber * (0.7 + 0.9 * random()),
    phase: random() * 2 * Math.PI,
    size: (height * (0.05 + 0.03 * random())) / waveNumber,
  }));
  return Float64Array.from({ length: width }, (_, x) =>
    waves.reduce((y, { turns, phase, size }) => y + size * Math.sin(phase + (turns * 2 * Math.PI * x) / width), base),
  );
}

/** From the crest down into mist, so that each row of hills stands out from the next. */
async function drawHills(picture: Picture, ridge: Float64Array, { crest, mist }: { crest: Colour; mist: Colour }): Promise<void> {
  const { width, height, pixels } = picture;
  const top = Math.max(0, Math.floor(ridge.reduce((least, y) => Math.min(least, y), height)));
  for (let y = top; y < height; y += 1) {
    const colour = mixColours(crest, mist, Math.min(1, (y - top) / (height * 0.4)));
    const packed = packColour(colour);
    for (let x = 0; x < width; x += 1) {
      const covered = y + 1 - (ridge[x] ?? 0);
      if (covered >= 1) pixels[y * width + x] = packed;
      else if (covered > 0) blendPixel(picture, y * width + x, colour, covered);
    }
    if ((y - top) % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
  }
}

const GLYPH_WIDTH = 5;
const GLYPH_HEIGHT = 7;

/** Seven rows from the top; each digit is a row of five dots in base 32, the leftmost dot the highest. */
const glyphs: Readonly<Record<string, string>> = {
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehggghe',
  D: 'uhhhhhu',
  E: 'vgguggv',
  F: 'vgguggg',
  G: 'ehgnhhf',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hhpljhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  Q: 'ehhhlid',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllla',
  X: 'hha4ahh',
  Y: 'hha4444',
  Z: 'v1248gv',
  0: 'ehjlphe',
  1: '4c4444e',
  2: 'eh1248v',
  3: 'v2421he',
  4: '26aiv22',
  5: 'vgu11he',
  6: '68guhhe',
  7: 'v124888',
  8: 'ehhehhe',
  9: 'ehhf12c',
  ' ': '0000000',
  '.': '00000cc',
  ',': '0000c48',
  ':': '0cc0cc0',
  ';': '0cc0c48',
  '!': '4444404',
  '?': 'eh12404',
  '-': '000v000',
  '+': '044v440',
  '=': '00v0v00',
  '*': '04lel40',
  '/': '01248g0',
  "'": '4480000',
  '"': 'aa00000',
  '(': '2488842',
  ')': '8422248',
  '&': 'cik8lid',
  '%': 'op248j3',
  '#': 'aavavaa',
  '@': 'eh1dlle',
  _: '000000v',
};
const UNKNOWN_GLYPH = 'vhhhhhv';

/** The text in the letters there are: capitals, no accents, plain quotes. What has no letter becomes a box. */
function plainLetters(text: string): string {
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

/** Whether the letter has a dot there. */
function hasDot(letter: string, column: number, row: number): boolean {
  const bits = Number.parseInt((glyphs[letter] ?? UNKNOWN_GLYPH).charAt(row), 32);
  return ((bits >> (GLYPH_WIDTH - 1 - column)) & 1) === 1;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Picture extends Size {
  readonly bytes: Uint8Array;
  /** The same memory, a pixel an entry, for fast filling. */
  readonly pixels: Uint32Array;
}

type Colour = readonly [red: number, green: number, blue: number];

export function createPicture(width: number, height: number, bytes: Uint8Array = new Uint8Array(width * height * 4)): Picture {
  // A view needs an address that four divides; buffers cut out of others may lie anywhere.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return { width, height, bytes: aligned, pixels: new Uint32Array(aligned.buffer, aligned.byteOffset, width * height) };
}

export function copyPicture({ width, height, bytes }: Picture): Picture {
  return createPicture(width, height, bytes.slice());
}

/** Red lowest: every platform that Node runs on for us keeps the low byte first. */
function packColour([red, green, blue]: Colour, opacity = 255): number {
  return ((opacity << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
}

function mixColours(from: Colour, to: Colour, share: number): Colour {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share];
}

/** `hue` in degrees, the others from 0 to 1. */
function createColour(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const step = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(step - 3, 9 - step, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Lays a colour over one pixel. What was see-through takes the colour and its opacity. */
function blendPixel(picture: Picture, at: number, colour: Colour, share: number): void {
  const { bytes } = picture;
  const byte = at * 4;
  const below = ((bytes[byte + 3] ?? 0) / 255) * (1 - share);
  const total = below + share;
  if (total === 0) return;
  for (let channel = 0; channel < 3; channel += 1) {
    bytes[byte + channel] = ((bytes[byte + channel] ?? 0) * below + (colour[channel] ?? 0) * share) / total;
  }
  bytes[byte + 3] = total * 255;
}

/** Squares of one colour each, for a preview that gets sharper: the smaller `cell`, the sharper. */
export function coarsen({ width, height, pixels }: Picture, cell: number): Picture {
  const coarse = createPicture(width, height);
  for (let top = 0; top < height; top += cell) {
    const row = Math.min(height - 1, top + (cell >> 1)) * width;
    const start = top * width;
    for (let left = 0; left < width; left += cell) {
      coarse.pixels.fill(pixels[row + Math.min(width - 1, left + (cell >> 1))] ?? 0, start + left, start + Math.min(width, left + cell));
    }
    for (let y = top + 1; y < Math.min(height, top + cell); y += 1) coarse.pixels.copyWithin(y * width, start, start + width);
  }
  return coarse;
}

/** Scaled so that it covers the given size, the rest cut away evenly. Nearest pixel: quick, and plain enough for a simulation. */
export function coverPicture({ width, height, pixels }: Picture, toWidth: number, toHeight: number): Picture {
  const scaled = createPicture(toWidth, toHeight);
  const scale = Math.max(toWidth / width, toHeight / height);
  const left = (width - toWidth / scale) / 2;
  const top = (height - toHeight / scale) / 2;
  const columns = Int32Array.from({ length: toWidth }, (_, x) => Math.min(width - 1, Math.floor(left + (x + 0.5) / scale)));
  for (let y = 0; y < toHeight; y += 1) {
    const row = Math.min(height - 1, Math.floor(top + (y + 0.5) / scale)) * width;
    for (let x = 0; x < toWidth; x += 1) scaled.pixels[y * toWidth + x] = pixels[row + (columns[x] ?? 0)] ?? 0;
  }
  return scaled;
}

const ink: Colour = [250, 250, 246];
const faded: Colour = [208, 210, 214];
const band: Colour = [12, 14, 20];

interface Line {
  readonly text: string;
  readonly colour: Colour;
  /** Pixels a dot. */
  readonly scale: number;
}

/** Writes into the picture. */
export function labelPicture(picture: Picture, caption: string, prompt: string): void {
  const scale = Math.max(1, Math.round(Math.min(picture.width, picture.height) / 300));
  const columns = Math.floor((picture.width - 8 * scale) / ((GLYPH_WIDTH + 1) * scale));
  const lines = [createLine(caption, columns, { colour: faded, scale }), createLine(prompt, columns, { colour: ink, scale })];
  const lineHeight = (GLYPH_HEIGHT + 4) * scale;
  const top = Math.max(0, picture.height - lines.length * lineHeight - 4 * scale);
  // Not see-through: the picture may be an edit of one that has a label already.
  picture.pixels.fill(packColour(band), top * picture.width);
  for (const [index, line] of lines.entries()) drawLine(picture, line, top + 4 * scale + index * lineHeight);
}

/** Three columns are kept for the dots of a text that goes on. */
function createLine(text: string, columns: number, style: Omit<Line, 'text'>): Line {
  return { text: plainLetters(excerpt(text, Math.max(4, columns - 3))), ...style };
}

function drawLine(picture: Picture, { text, colour, scale }: Line, top: number): void {
  for (const [index, letter] of [...text].entries()) {
    const left = (4 + index * (GLYPH_WIDTH + 1)) * scale;
    for (let row = 0; row < GLYPH_HEIGHT; row += 1) {
      for (let column = 0; column < GLYPH_WIDTH; column += 1) {
        if (hasDot(letter, column, row)) fillDot(picture, { x: left + column * scale, y: top + row * scale, scale }, colour);
      }
    }
  }
}

function fillDot({ width, height, pixels }: Picture, { x, y, scale }: { x: number; y: number; scale: number }, colour: Colour): void {
  for (let row = y; row < Math.min(y + scale, height); row += 1) {
    pixels.fill(packColour(colour), row * width + Math.min(x, width), row * width + Math.min(x + scale, width));
  }
}
