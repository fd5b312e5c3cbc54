/** Patterns of model ids: `*` matches any characters, also none. In the worst case the time is the product of both lengths. */

export function matchesPattern(pattern: string, id: string): boolean {
  let [at, next] = [0, 0];
  let star = -1;
  let tried = 0;
  while (at < id.length) {
    if (pattern[next] === '*') {
      star = next++;
      tried = at;
    } else if (pattern[next] === id[at]) {
      next++;
      at++;
    } else if (star >= 0) {
      // Let the last star match one more character.
      next = star + 1;
      at = ++tried;
    } else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}
