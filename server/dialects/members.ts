/** How many fields the objects of a JSON text have, as they are written and as they are read: a parser keeps one of those that stand twice. */
import { JsonWalk } from './json-walk.ts';

/** In text that is known to be JSON. */
export const countMembers = (bytes: Buffer): number => new JsonWalk(bytes).countMembers();

/** In what was made of it: values of a parser, whose fields are all their own. */
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
