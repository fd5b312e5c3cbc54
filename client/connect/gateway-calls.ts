/** Calls a gateway with a key, as a tool would, and explains why it can't be reached, such as a missing `/v1` or a proxy in between. */

import { EnvHttpProxyAgent, fetch as proxiedFetch } from 'undici';
import { type HttpResponse, sendToTarget } from '../verify/target.ts';

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** Thrown if the connection can't work. The message says why and what to do. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

/** Returns the base URL for clients. It ends in `/v1`, whatever part of the gateway's URL was pasted. */
export function toBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConnectError(`The base URL must look like https://host/v1. Got '${text}'.`);
  if (url.username !== '') throw new ConnectError("The base URL can't contain a user name. Specify the key with --key.");
  const hasVersion = /\/v1(\/|$)/i.test(url.pathname);
  if (!hasVersion && /\/console(\/|$)/.test(url.pathname)) {
    const consoleUrl = `${url.origin}${url.pathname}`;
    throw new ConnectError(
      `${consoleUrl} is the operator console, not the API. The portal and the gateway's startup message show the base URL.`,
    );
  }
  const suffix = hasVersion ? /\/v1(\/.*)?$/i : /\/(docs|portal)(\/.*)?$/;
  return `${url.origin}${url.pathname.replace(suffix, '').replace(/\/+$/, '')}/v1`;
}

export interface GatewayResponse extends HttpResponse {
  readonly baseUrl: string;
}

export type GatewayCall = (path: string, body?: object) => Promise<GatewayResponse>;

const TIMEOUT_MS = 120_000;

/** Calls through the proxies of the environment, as most tools do. */
export function openGatewayCalls({ baseUrl, key, env }: { baseUrl: string; key: string; env: ProxyEnvironment }): GatewayCall {
  const proxies = { httpProxy: getProxy(env, 'http'), httpsProxy: getProxy(env, 'https'), noProxy: env.NO_PROXY ?? env.no_proxy ?? '' };
  const dispatcher = new EnvHttpProxyAgent(proxies);
  const send = (url: string, init: Parameters<typeof proxiedFetch>[1]) => proxiedFetch(url, { ...init, dispatcher });
  // `as`: it's the same fetch, but the library's types differ from Node's.
  const target = { baseUrl, key, timeoutMs: TIMEOUT_MS, fetch: send as unknown as typeof fetch };
  return async (path, json) => {
    const response = await sendToTarget(target, path, { json }).catch((error: unknown) => {
      throw new ConnectError(
        `Can't reach ${baseUrl}: ${describeCause(error, baseUrl)}.${formatProxyHint(baseUrl, env)} Check the address, and whether the gateway is running.`,
      );
    });
    if (!isFromGateway(response))
      throw new ConnectError(`${describeForeignResponse(`${baseUrl}${path}`, response)}${formatProxyHint(baseUrl, env)}`);
    return { ...response, baseUrl };
  };
}

/** Null if the body isn't JSON. */
export function parseBody(response: HttpResponse): unknown {
  try {
    return response.json();
  } catch {
    return null;
  }
}

const getProxy = (env: ProxyEnvironment, scheme: 'http' | 'https'): string =>
  env[`${scheme.toUpperCase()}_PROXY`] ?? env[`${scheme}_proxy`] ?? '';

function describeCause(error: unknown, baseUrl: string): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describeCause(error.cause, baseUrl);
  const code = 'code' in error ? String(error.code) : '';
  // OpenSSL's messages name its own source files.
  if (/wrong version number|packet length too long/i.test(error.message))
    return `the server responded without TLS. For a server without TLS, use ${baseUrl.replace('https:', 'http:')}`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `the TLS handshake failed (${code})`;
  return error.message || code;
}

/** Every gateway response has a request ID of this form. */
const isFromGateway = ({ headers }: HttpResponse): boolean => /^req_[0-9a-f]{32}$/.test(headers.get('x-request-id') ?? '');

function describeForeignResponse(url: string, { status, headers }: HttpResponse): string {
  const details = [`status ${status}`, headers.get('content-type'), headers.get('server')].filter((fact) => fact !== null).join(', ');
  return `Something other than the gateway responded at ${url} (${details}). Check the address, and whether a proxy in between responds instead.`;
}

function formatProxyHint(baseUrl: string, env: ProxyEnvironment): string {
  const { hostname, protocol } = new URL(baseUrl);
  const name = [`${protocol.slice(0, -1).toUpperCase()}_PROXY`, `${protocol.slice(0, -1)}_proxy`].find((variable) => env[variable]);
  if (name === undefined || isProxyExempt(hostname, env.NO_PROXY ?? env.no_proxy ?? '')) return '';
  // Only the host is shown, because the proxy URL may contain a password.
  const proxy = URL.canParse(env[name] ?? '') ? new URL(env[name] ?? '').host : 'a proxy';
  return ` ${name} is set, so calls go through ${proxy}: if it can't reach the gateway, add ${hostname} to NO_PROXY.`;
}

const isProxyExempt = (hostname: string, list: string): boolean =>
  list.split(/[\s,]+/).some((entry) => {
    const domain = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
    return entry === '*' || (domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`)));
  });
