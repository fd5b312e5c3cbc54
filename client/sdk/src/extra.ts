/** Access to fields that the gateway accepts or sends, but that the closed types don't have. */

/**
 * Returns an object whose fields are all `unknown`, for fields that its type doesn't have, such as those of a newer upstream.
 *
 * @see README.md, “Types”
 * @example
 * const reason = extraOf(completion).system_note; // unknown: check it before you use it
 */
export function extraOf(value: object): Readonly<Record<string, unknown>> {
  // Safe for any object, because `unknown` forces the caller to check each field.
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
