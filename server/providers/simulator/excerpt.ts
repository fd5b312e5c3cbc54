/** Shortens a text to its beginning, on one line. */

/** Text after more than this much leading whitespace is ignored. */
const MAX_SEARCHED_LENGTH = 100_000;

/** Returns the start of a text on one line, cut at a word boundary if one is near the end. */
export function createExcerpt(text: string, length: number): string {
  // Slices first, because the text may be megabytes.
  const searchedText = text
    .slice(0, MAX_SEARCHED_LENGTH)
    .trimStart()
    .slice(0, length * 4);
  const characters = [...searchedText.replace(/\s+/gu, ' ').trim()];
  if (characters.length <= length) return characters.join('');
  const shortenedText = characters.slice(0, length - 1).join('');
  const lastSpace = shortenedText.lastIndexOf(' ');
  return `${lastSpace > length / 2 ? shortenedText.slice(0, lastSpace) : shortenedText}…`;
}
