/** Drops an unused index of the entries: sums read whole books, and every charge wrote to the index twice. */
export const SQL = 'DROP INDEX entries_by_book;';
