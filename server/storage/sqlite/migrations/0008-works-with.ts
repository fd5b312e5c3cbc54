/** The oldest schema whose program may work after a migration; null for earlier migrations. */
export const SQL = `
  ALTER TABLE migrations ADD COLUMN works_with INTEGER;
`;
