/** The band at the bottom of every image, so that nobody mistakes it for the work of a model. */
import { excerpt } from '../excerpt.ts';
import { GLYPH_HEIGHT, GLYPH_WIDTH, hasDot, plainLetters } from './glyphs.ts';
import { type Colour, type Picture, packColour } from './picture.ts';

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
