/** The cookies of sessions: reads one from a request, writes one into an answer. */
import { cookieNames } from '../../contract/browser.ts';
import type { SessionKind } from './store.ts';

/** A browser sends few; bounds the text that is searched. */
const MAX_HEADER_LENGTH = 8_192;

/** The token in the cookie; undefined without one, or with more than one of the name. */
export const readCookie = (kind: SessionKind, header: string | undefined): string | undefined => valueIn(header, cookieNames[kind]);

function valueIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
  const start = `${name}=`;
  const [value, ...others] = header.split(/; ?/).filter((pair) => pair.startsWith(start));
  return value === undefined || others.length > 0 ? undefined : value.slice(start.length);
}

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function writeCookie(kind: SessionKind, token: string, lifetimeMs: number): string {
  return `${cookieNames[kind]}=${token}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; ${ATTRIBUTES}`;
}

export const clearCookie = (kind: SessionKind): string => `${cookieNames[kind]}=; Max-Age=0; ${ATTRIBUTES}`;

/** The one cookie that comes with a call from another site: the identity provider sends the browser back, and `Strict` would leave it out. */
const FLOW_COOKIE = '__Host-modelgate-sign-in';
const FLOW_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export const readFlowCookie = (header: string | undefined): string | undefined => valueIn(header, FLOW_COOKIE);
export const writeFlowCookie = (value: string, lifetimeMs: number): string =>
  `${FLOW_COOKIE}=${value}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; ${FLOW_ATTRIBUTES}`;
export const clearFlowCookie = (): string => `${FLOW_COOKIE}=; Max-Age=0; ${FLOW_ATTRIBUTES}`;
