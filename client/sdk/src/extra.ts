/** The way around the closed types: fields that the gateway accepts or sends, but that the types don't have. */

/**
 * Every field of a response, as unknown: for fields that its type doesn't have, such as those of a newer upstream.
 *
 * @see README.md, “Types”
 * @example
 * const reason = extraOf(completion).system_note; // unknown: check it before you use it
 */
export function extraOf(value: object): Readonly<Record<string, unknown>> {
  // Any object can be read field by field, as long as each field is checked: unknown makes the caller do that.
  return value as Readonly<Record<string, unknown>>;
}

/**
 * A copy of a part of a request with fields that its type doesn't have. The known part is still checked.
 * For fields at the top of a request, use `extraBody` in the options of the call.
 *
 * @see README.md, “Types”
 * @example
 * const tools = [withExtra<Tool>({ type: 'file_search' }, { vector_store_ids: ['vs_1'] })];
 */
export const withExtra = <Part extends object>(known: NoInfer<Part>, extra: Readonly<Record<string, unknown>>): Part => ({
  ...known,
  ...extra,
});
