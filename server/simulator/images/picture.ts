/** A picture in memory: pixels of four bytes, red, green, blue and opacity. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Picture extends Size {
  readonly bytes: Uint8Array;
  /** The same memory, a pixel an entry, for fast filling. */
  readonly pixels: Uint32Array;
}

export type Colour = readonly [red: number, green: number, blue: number];

export function createPicture(width: number, height: number, bytes: Uint8Array = new Uint8Array(width * height * 4)): Picture {
  // A view needs an address that four divides; buffers cut out of others may lie anywhere.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return { width, height, bytes: aligned, pixels: new Uint32Array(aligned.buffer, aligned.byteOffset, width * height) };
}

export function copyPicture({ width, height, bytes }: Picture): Picture {
  return createPicture(width, height, bytes.slice());
}

/** Red lowest: every platform that Node runs on for us keeps the low byte first. */
export function packColour([red, green, blue]: Colour, opacity = 255): number {
  return ((opacity << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
}

export function mixColours(from: Colour, to: Colour, share: number): Colour {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share];
}

/** `hue` in degrees, the others from 0 to 1. */
export function createColour(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const step = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(step - 3, 9 - step, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Lays a colour over one pixel. What was see-through takes the colour and its opacity. */
export function blendPixel(picture: Picture, at: number, colour: Colour, share: number): void {
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
