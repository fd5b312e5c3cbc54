/** What a browser sends in place of a key: the cookies of sessions, and the header of calls that change something. */

/** `__Host-`: a browser accepts it only with `Secure`, for this host only and for all of its paths (RFC 6265bis, 4.1.3.2). */
export const cookieNames = { console: '__Host-modelgate-console', portal: '__Host-modelgate-portal' } as const;

/** With the value `1`. A page of another origin can't send it, because no response allows that. */
export const CONSOLE_HEADER = 'x-modelgate-console';
