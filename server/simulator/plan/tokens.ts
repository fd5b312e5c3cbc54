/** The simulator's own idea of a token: a word with the space before it, long words in parts. */

/** No piece has more UTF-16 units. */
export const LONGEST_PIECE = 16 + 2 * 14;

/** One piece is one token and one streamed delta; all pieces together are the text, byte for byte. Where there are more than `most`, one more is told. */
export function splitPieces(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  for (const [piece] of text.slice(0, (most + 1) * LONGEST_PIECE).matchAll(/\s{0,16}\S{1,14}|\s{1,16}/gu)) {
    pieces.push(piece);
    if (pieces.length > most) break;
  }
  return pieces;
}

/** A data URL counts as so many characters, however large the picture in it is. */
const DATA_URL_CHARACTERS = 1024;
const CHARACTERS_PER_TOKEN = 4;

/** Estimates tokens of everything that was sent: four characters each. Not recursive, the nesting is the caller's. */
export function estimateTokens(sent: unknown): number {
  const open: unknown[] = [sent];
  let characters = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') characters += value.startsWith('data:') ? DATA_URL_CHARACTERS : value.length;
    else if (typeof value === 'object' && value !== null) for (const entry of Object.values(value)) open.push(entry);
  }
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN));
}
