/** Reads and writes the cookies of sessions and sign-ins. */

import { cookieNames } from '../../../contract/shared/browser.ts';
import type { SessionKind } from './store.ts';

/** In characters. Browsers send far less. A longer header is ignored, because searching it would be slow. */
const MAX_HEADER_LENGTH = 8_192;

/** Returns the cookie's token. Undefined without a cookie, or with several of that name. */
export const readCookie = (kind: SessionKind, header: string | undefined): string | undefined => findCookieValue(header, cookieNames[kind]);

function findCookieValue(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
  const prefix = `${name}=`;
  const [value, ...others] = header.split(/; ?/).filter((pair) => pair.startsWith(prefix));
  return value === undefined || others.length > 0 ? undefined : value.slice(prefix.length);
}

const SESSION_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function writeCookie(kind: SessionKind, token: string, lifetimeMs: number): string {
  return `${cookieNames[kind]}=${token}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; ${SESSION_ATTRIBUTES}`;
}

export const clearCookie = (kind: SessionKind): string => `${cookieNames[kind]}=; Max-Age=0; ${SESSION_ATTRIBUTES}`;

/** The only cookie sent with a request from another site: the identity provider redirects the browser back, and `Strict` would omit the cookie. */
const FLOW_COOKIE = '__Host-modelgate-sign-in';

const FLOW_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export const readFlowCookie = (header: string | undefined): string | undefined => findCookieValue(header, FLOW_COOKIE);

export const writeFlowCookie = (value: string, lifetimeMs: number): string =>
  `${FLOW_COOKIE}=${value}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; ${FLOW_ATTRIBUTES}`;

export const clearFlowCookie = (): string => `${FLOW_COOKIE}=; Max-Age=0; ${FLOW_ATTRIBUTES}`;
