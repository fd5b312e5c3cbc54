/** Splits text into pieces of one simulated token each, and estimates the tokens of a request. */

/** The maximum UTF-16 units of a piece. */
export const MAX_PIECE_LENGTH = 16 + 2 * 14;

/**
 * One piece is one token and one streamed delta. Joined, the pieces equal the text byte for byte. If the text has more than `maxPieces` pieces, one more is
 * returned.
 */
export function splitPieces(text: string, maxPieces: number): readonly string[] {
  const pieces: string[] = [];
  for (const [piece] of text.slice(0, (maxPieces + 1) * MAX_PIECE_LENGTH).matchAll(/\s{0,16}\S{1,14}|\s{1,16}/gu)) {
    pieces.push(piece);
    if (pieces.length > maxPieces) break;
  }
  return pieces;
}

/** A data URL counts as this many characters, however large its image is. */
const DATA_URL_CHARACTERS = 1024;

const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a request at four characters each. Not recursive, because the caller controls the nesting. */
export function estimateTokens(requestParts: unknown): number {
  const pendingValues: unknown[] = [requestParts];
  let characters = 0;
  while (pendingValues.length > 0) {
    const value = pendingValues.pop();
    if (typeof value === 'string') characters += value.startsWith('data:') ? DATA_URL_CHARACTERS : value.length;
    else if (typeof value === 'object' && value !== null) for (const entry of Object.values(value)) pendingValues.push(entry);
  }
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN));
}
