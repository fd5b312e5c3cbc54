/** Counts the fields of all objects in a parsed JSON value. Of a name that occurs twice in an object, a parser has kept one. */

/** `value` is parsed JSON, so it has no inherited fields. */
export function countFields(value: unknown): number {
  let fields = 0;
  const left = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null) continue;
    if (Array.isArray(part)) for (const each of part) take(each);
    else
      for (const name in part) {
        fields++;
        take(part[name as keyof typeof part]);
      }
  }
  return fields;

  function take(each: unknown): void {
    if (typeof each === 'object' && each !== null) left.push(each);
  }
}
