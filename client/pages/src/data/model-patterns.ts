/** Matches typed model patterns by the gateway's rule: `*` matches any number of characters, including none. */

/** The models that the typed patterns match. All of them if nothing is typed. */
export function listMatchingModels(typed: string, models: readonly string[]): readonly string[] {
  const patterns = typed.split(/[\s,]+/).filter((word) => word !== '');
  return patterns.length === 0 ? models : models.filter((id) => patterns.some((pattern) => matchesModelPattern(pattern, id)));
}

/** Each part between two stars matches at its earliest position after the previous part. */
export function matchesModelPattern(pattern: string, id: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return first === id;
  if (!id.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length - last.length >= at && id.endsWith(last);
}
