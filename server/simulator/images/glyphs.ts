/** Letters of five by seven dots, so that a picture can say what it is. */

export const GLYPH_WIDTH = 5;
export const GLYPH_HEIGHT = 7;

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
export function plainLetters(text: string): string {
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
export function hasDot(letter: string, column: number, row: number): boolean {
  const bits = Number.parseInt((glyphs[letter] ?? UNKNOWN_GLYPH).charAt(row), 32);
  return ((bits >> (GLYPH_WIDTH - 1 - column)) & 1) === 1;
}
