/** Matches a model ID against a pattern with `*`. */

export function matchesPattern(pattern: string, id: string): boolean {
  let [idIndex, patternIndex] = [0, 0];
  let starIndex = -1;
  let retryIndex = 0;
  while (idIndex < id.length) {
    if (pattern[patternIndex] === '*') {
      starIndex = patternIndex++;
      retryIndex = idIndex;
    } else if (pattern[patternIndex] === id[idIndex]) {
      patternIndex++;
      idIndex++;
    } else if (starIndex >= 0) {
      // Lets the last star match one more character.
      patternIndex = starIndex + 1;
      idIndex = ++retryIndex;
    } else return false;
  }
  while (pattern[patternIndex] === '*') patternIndex++;
  return patternIndex === pattern.length;
}
