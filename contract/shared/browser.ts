/** What a browser sends instead of a key: session cookies, and a header for calls that change something. */

/** Browsers accept the prefix `__Host-` only with `Secure`, for this host only and with the path `/` (RFC 6265bis, 4.1.3.2). */
export const cookieNames = { console: '__Host-modelgate-console', portal: '__Host-modelgate-portal' } as const;

/** Sent with the value `1`. Pages of other origins can't send it, because no CORS response of the gateway allows it. */
export const CONSOLE_HEADER = 'x-modelgate-console';
