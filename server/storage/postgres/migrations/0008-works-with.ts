/** Which older programs may work on the tables that a step leaves, on PostgreSQL; a step of before says nothing. */
export const SQL = 'ALTER TABLE migrations ADD COLUMN works_with BIGINT;';
