/** How many fields the objects of a parsed JSON value have together: of those that stand twice in an object a parser keeps one. */

/** Of values that a parser made, whose fields are all their own. */
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
