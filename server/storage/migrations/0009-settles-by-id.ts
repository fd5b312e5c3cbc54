/** A step of PostgreSQL alone: here a charge has always been found by its id. The steps of both have the same numbers. */
export const sql = '';
