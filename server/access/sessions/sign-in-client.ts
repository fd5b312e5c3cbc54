/** Describes who signs in, so that an operator recognizes a session in a list: the address and the browser. */

import { type CallerConnection, getCallerAddress, toBlockList } from '../caller-address.ts';

export interface SignInClient {
  /** The caller's IP address. Null if unknown. */
  readonly address: string | null;
  /** Such as `Firefox on Linux`. Null if the request had no user agent. */
  readonly browser: string | null;
}

export function readSignInClient(connection: CallerConnection, trustedProxies: readonly string[]): SignInClient {
  return {
    address: getCallerAddress(connection, toBlockList(trustedProxies)) ?? null,
    browser: getBrowserName(String(connection.headers['user-agent'] ?? '')),
  };
}

type NamePattern = readonly [name: string, pattern: RegExp];

/** In the order to look for them, because most browsers also claim to be those after them. */
const browsers: readonly NamePattern[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const systems: readonly NamePattern[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\biP(?:hone|ad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

const findName = (patterns: readonly NamePattern[], text: string): string | undefined =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0];

/** Other programs get the name of their first product, such as `curl`. */
export function getBrowserName(userAgent: string): string | null {
  const browser = findName(browsers, userAgent) ?? /^[\w.-]{1,40}/.exec(userAgent)?.[0];
  if (browser === undefined) return null;
  const system = findName(systems, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}
