/** Draws the picture for a prompt: a sky, a sun or a moon, hills one behind the other; the prompt decides on all of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRandom } from '../seed.ts';
import { blendPixel, type Colour, createColour, createPicture, mixColours, type Picture, packColour } from './picture.ts';

export interface SceneOptions {
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
