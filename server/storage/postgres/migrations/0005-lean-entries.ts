/** The two-sided book without an index that nobody reads: sums take whole books, and every charge wrote to it twice. */
export const SQL = 'DROP INDEX entries_by_book;';
