/** Changes fields of an object or entries of a list, and returns the same one if nothing differs. */
import type { Fields } from '../../primitives/fields.ts';

/** Sets these fields in an object. Returns the same object if they already have these values. */
export function withValues(object: Fields, newValues: Fields): Fields {
  for (const name in newValues) if (object[name] !== newValues[name]) return { ...object, ...newValues };
  return object;
}

/** Maps each entry of a list. Returns the same list if nothing changes. */
export function mapList(list: readonly unknown[], each: (entry: unknown, at: number) => unknown): readonly unknown[] {
  const mappedList = list.map(each);
  return mappedList.every((entry, at) => entry === list[at]) ? list : mappedList;
}
