/** Fills in the items that the last event of a stream of Responses lacks. */
import { type Fields, isFields } from '../../primitives/fields.ts';

/**
 * Restores missing output items, because some providers send the last event with an empty `output`. `done` contains the `output_item.done` events.
 * Returns the same object if no item is missing.
 */
export function restoreMissingItems(response: Fields, doneEvents: readonly Fields[]): Fields {
  const output: readonly unknown[] = Array.isArray(response.output) ? response.output : [];
  if (output.length >= doneEvents.length) return response;
  const items = doneEvents.toSorted((one, other) => Number(one.output_index) - Number(other.output_index)).map(({ item }) => item);
  return { ...response, output: items.map((item) => output.find((one) => isSameItem(one, item)) ?? item) };
}

const isSameItem = (one: unknown, other: unknown): boolean =>
  isFields(one) && isFields(other) && typeof one.id === 'string' && one.id === other.id;
