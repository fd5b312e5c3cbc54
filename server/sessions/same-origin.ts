/** Refuses calls that a page of another origin makes with the reader's cookie (cross-site request forgery). */
import type { IncomingHttpHeaders } from 'node:http';
import { CONSOLE_HEADER } from '../../contract/browser.ts';
import type { CookieCode } from '../../contract/portal-errors.ts';
import { GatewayError } from '../errors.ts';

export interface Called {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const isJson = (type: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(type ?? '');
const hasBody = ({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean =>
  length !== '0' || encoding !== undefined;

/** For calls with a cookie. What changes nothing passes; no answer has headers that would let another origin read it. */
export function refuseOtherPages(call: Called, publicUrl: string | undefined): void {
  const { method, headers } = call;
  if (method === 'GET' || method === 'HEAD') return;
  if (!isSameOrigin(call, publicUrl)) throw otherPage('it does not come from a page of this address');
  const type = headers['content-type'];
  if ((type !== undefined || hasBody(headers)) && !isJson(type)) throw otherPage('its content-type is not application/json');
  if (headers[CONSOLE_HEADER] !== '1') throw otherPage(`it has no header ${CONSOLE_HEADER}: 1`);
}

/** For the sign-in, which has no cookie yet: only a browser says where a call comes from, and it must not come from elsewhere. */
export function refuseForeignSignIn(call: Called, publicUrl: string | undefined): void {
  const { 'sec-fetch-site': site, origin } = call.headers;
  if ((site !== undefined || origin !== undefined) && !isSameOrigin(call, publicUrl))
    throw otherPage('it does not come from a page of this address');
}

/** The browser says so; where it does not, the origin of the page must be that of the listener. */
function isSameOrigin({ headers }: Called, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);
}

const otherPage = (why: string): GatewayError =>
  new GatewayError<CookieCode>('permission_denied', { message: `This call was refused, because ${why}.` });
