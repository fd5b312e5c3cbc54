/** The part of a request that shows where it comes from. */
export const from = (remoteAddress: string | undefined, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: { 'x-forwarded-for': forwarded },
});
