/** Quotes from what was sent, short enough for a sentence or a label. */

/** Text after more spaces than this is ignored. */
const MOST_BLANKS = 100_000;

/** The beginning of a text on one line, cut at a word where there is one near the end. */
export function excerpt(text: string, length: number): string {
  // The slice first: the text may be megabytes.
  const line = text
    .slice(0, MOST_BLANKS)
    .trimStart()
    .slice(0, length * 4);
  const characters = [...line.replace(/\s+/gu, ' ').trim()];
  if (characters.length <= length) return characters.join('');
  const cut = characters.slice(0, length - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > length / 2 ? cut.slice(0, space) : cut}…`;
}
