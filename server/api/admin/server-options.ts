/** Limits of the admin listener, as options of Fastify and of Node's HTTP server. */

export const MAX_HEADER_BYTES = 16 * 1024;
const MINUTE_MS = 60_000;
const MAX_TIMEOUT_CHECK_MS = 5_000;

/** `arrivalMs`: milliseconds within which the headers and the complete request must arrive. */
export const createServerOptions = (arrivalMs = MINUTE_MS) => ({
  requestTimeout: arrivalMs,
  http: {
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: Math.min(arrivalMs, MAX_TIMEOUT_CHECK_MS),
    maxHeaderSize: MAX_HEADER_BYTES,
  },
  forceCloseConnections: 'idle' as const,
});
