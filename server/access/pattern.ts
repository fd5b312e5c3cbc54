/** Patterns of model ids: `*` stands for any letters, also none. Takes time of the product of both lengths at worst, whatever an operator writes. */

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
      // The last star takes one letter more.
      next = star + 1;
      at = ++tried;
    } else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}
