/** Rejects cross-origin requests (CSRF): calls with a session cookie, and sign-ins. */
import type { IncomingHttpHeaders } from 'node:http';
import type { CookieCode } from '../../../contract/portal/errors.ts';
import { CONSOLE_HEADER } from '../../../contract/shared/browser.ts';
import { GatewayError } from '../../primitives/errors.ts';

interface RequestHead {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const isJson = (type: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(type ?? '');

const hasBody = ({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean =>
  length !== '0' || encoding !== undefined;

/** For requests with a cookie. Read-only methods pass, because no response has headers that let another origin read it. */
export function rejectCrossOrigin(request: RequestHead, publicUrl: string | undefined): void {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return;
  if (!isSameOrigin(request, publicUrl)) throw createCrossOriginError("it doesn't come from a page of this origin");
  const type = headers['content-type'];
  if ((type !== undefined || hasBody(headers)) && !isJson(type)) throw createCrossOriginError("its content-type isn't application/json");
  if (headers[CONSOLE_HEADER] !== '1') throw createCrossOriginError(`the header ${CONSOLE_HEADER}: 1 is missing`);
}

/** For sign-ins, which have no cookie yet. Only browsers report a request's origin, and it must be this one. */
export function rejectCrossOriginSignIn(request: RequestHead, publicUrl: string | undefined): void {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if ((site !== undefined || origin !== undefined) && !isSameOrigin(request, publicUrl))
    throw createCrossOriginError("it doesn't come from a page of this origin");
}

/** Uses `sec-fetch-site` if the browser sends it. Otherwise, the page's origin must be the listener's. */
function isSameOrigin({ headers }: RequestHead, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);
}

const createCrossOriginError = (reason: string): GatewayError =>
  new GatewayError<CookieCode>('permission_denied', { message: `This request was rejected because ${reason}.` });
