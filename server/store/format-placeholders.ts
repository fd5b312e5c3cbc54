/** Writes the parameters of a list, such as `?1, ?2`. `first`: the number of the first one. */
export const formatPlaceholders = (first: number, { length }: { readonly length: number }): string =>
  Array.from({ length }, (_, index) => `?${first + index}`).join(', ');
