/** The oldest schema whose program may work after a migration, on PostgreSQL; null for earlier migrations. */
export const SQL = 'ALTER TABLE migrations ADD COLUMN works_with BIGINT;';
