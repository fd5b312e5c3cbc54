/** Guesses the word that someone meant. */

/** Returns the closest known word, or undefined if none is close enough. */
export function findNearest(word: string, options: readonly string[]): string | undefined {
  const normalizedWord = normalizeWord(word);
  const rankedOptions = options
    .map((candidate) => ({
      candidate,
      steps: countSteps(normalizedWord, normalizeWord(candidate)),
      letters: computeEditDistance(normalizedWord, normalizeWord(candidate)),
    }))
    .sort((a, b) => a.steps - b.steps || a.letters - b.letters);
  const [best] = rankedOptions;
  return best !== undefined && best.steps <= getMaxDistance(normalizedWord) ? best.candidate : undefined;
}

/** Two edits turn `port` into `prot`; in a shorter word they would match anything. */
function getMaxDistance(normalizedWord: string): number {
  return normalizedWord.length < 4 ? 1 : Math.max(2, Math.floor(normalizedWord.length / 3));
}

function countSteps(normalizedWord: string, other: string): number {
  const [short, long] = normalizedWord.length < other.length ? [normalizedWord, other] : [other, normalizedWord];
  // `warning` means `warn`, however many letters it adds.
  return short.length >= 3 && long.startsWith(short) && long !== short ? 1 : computeEditDistance(normalizedWord, other);
}

/** People treat `base_url`, `base-url` and `baseUrl` as the same word. */
function normalizeWord(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '').slice(0, 40);
}

/** Letters to add, remove or change (Levenshtein), row by row. */
function computeEditDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaceCost = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaceCost, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
