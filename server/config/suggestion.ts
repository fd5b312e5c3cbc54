/** Finds the known word that a typo most likely meant. */

/** The nearest known word, or undefined when none is near enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const plain = plainForm(word);
  const ranked = known
    .map((candidate) => ({ candidate, steps: stepsBetween(plain, plainForm(candidate)) }))
    .sort((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= farthest(plain) ? best.candidate : undefined;
}

/** Two edits turn `port` into `prot`; in a shorter word they would match anything. */
function farthest(plain: string): number {
  return plain.length < 4 ? 1 : Math.max(2, Math.floor(plain.length / 3));
}

function stepsBetween(plain: string, other: string): number {
  const [short, long] = plain.length < other.length ? [plain, other] : [other, plain];
  // `warning` means `warn`, however many letters it adds.
  return short.length >= 3 && long.startsWith(short) && long !== short ? 1 : distance(plain, other);
}

/** People treat `base_url`, `base-url` and `baseUrl` as the same word. */
function plainForm(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '').slice(0, 40);
}

/** Letters to add, drop or change (Levenshtein), row by row. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
