/** Schemas of strings with a format: URLs, secrets, headers, and names. No error message contains the value. */

import { isIP } from 'node:net';
import { z } from 'zod';

/** JSON Schema's mark for secrets. No response, log, or page shows such a value. */
export const secretMeta = { writeOnly: true } as const;

/** Headers that the gateway or the HTTP layer sets. A duplicate would break the request or allow request smuggling. */
const reservedHeaders = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

function findUrlFault(text: string): string | null {
  if (!URL.canParse(text)) return 'must be a URL that starts with http:// or https://';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must start with http:// or https://';
  if (url.username !== '' || url.password !== '') return "can't contain a user name or password; use apiKey instead";
  if (url.search !== '' || url.hash !== '') return "can't contain a query (?) or fragment (#)";
  return null;
}

/** `findFault` returns what's wrong with a text, or null if it's valid. */
export const createUrl = (findFault: (text: string) => string | null) =>
  z
    .string()
    .max(2048)
    .superRefine((text, context) => {
      const message = findFault(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });

export const HttpUrl = createUrl(findUrlFault).overwrite((text) => text.replace(/\/+$/, ''));

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?|localhost)$/;
/** Whether a host name or address belongs to this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** Whether data sent to the URL stays private, because it uses TLS or an address of this machine. */
export function isHttpsOrLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Must equal the provider's own `issuer` exactly, so a trailing slash isn't removed. */
export const Issuer = createUrl((text) => findUrlFault(text) ?? findIssuerFault(text));

function findIssuerFault(text: string): string | null {
  if (!isHttpsOrLoopback(text)) return "must start with https://, unless it's an address of this machine";
  return text.includes('/.well-known/') ? 'is the address of the discovery document; remove /.well-known/ and everything after it' : null;
}

/** Matches `v1`, `v1beta`, and `v2alpha1`. */
const versionPattern = /^v\d+(?:(?:alpha|beta)\d*)?$/;
/** Whether the path contains an API version. */
export const hasApiVersion = (url: string): boolean => new URL(url).pathname.split('/').some((part) => versionPattern.test(part));

/** The path of an operation at the end of a URL. */
const OPERATION_PATH = /\/(?:chat\/completions|completions|responses|messages|images\/(?:generations|edits)|embeddings|models)\/?$/;

/** A URL without the path of an operation. */
export const BaseUrl = HttpUrl.refine((text) => !URL.canParse(text) || !OPERATION_PATH.test(new URL(text).pathname), {
  error: ({ input }) =>
    `must end before '${OPERATION_PATH.exec(new URL(String(input)).pathname)?.[0]}': the gateway appends the path of each operation`,
});

/** A base URL as in the provider's SDKs, which append the version. So the version is optional here. */
export const createVersionedBaseUrl = (defaultVersion: string) =>
  BaseUrl.overwrite((text) => (URL.canParse(text) && !hasApiVersion(text) ? `${text}/${defaultVersion}` : text));

/** URL of a store. It can contain a password, so no message contains it. */
const createStoreUrl = (schemes: readonly string[]) =>
  z
    .string()
    .max(2048)
    .refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), `must be a URL that starts with ${schemes[0]}//`)
    .meta(secretMeta);
export const DatabaseUrl = createStoreUrl(['postgres:', 'postgresql:']);
export const RedisUrl = createStoreUrl(['redis:', 'rediss:']);

/** A secret is sent in a header, so a line break (from a file that ends with one) would break every request. */
export const Secret = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[\x21-\x7e]*$/, "can't contain a space, a line break, or another character that isn't allowed in a header")
  .meta(secretMeta);

export const HeaderName = z
  .string()
  .max(128)
  .regex(/^[0-9A-Za-z!#$%&'*+.^_`|~-]+$/, "isn't a valid header name")
  .refine((name) => !reservedHeaders.has(name.toLowerCase()), 'is a header that the gateway sets itself');

export const HeaderValue = z
  .string()
  .max(4096)
  .regex(/^[\x20-\x7e]*$/, "can't contain a character that isn't allowed in a header")
  .meta(secretMeta);

export const UpstreamName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/, 'must consist of lower-case letters, digits, and hyphens, and start with a letter');

export const ModelId = z
  .string()
  .max(200)
  .regex(/^[0-9A-Za-z][0-9A-Za-z._:/@+-]*$/, 'must be a model ID of letters, digits, and . _ : / @ + -');

function isIpRange(text: string): boolean {
  const [address = '', bits, ...extraParts] = text.split('/');
  const family = isIP(address);
  if (family === 0 || extraParts.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** An IP address or range, such as `192.0.2.7`, `192.0.2.0/24`, or `2001:db8::/32`. */
export const IpRange = z.string().max(64).refine(isIpRange, 'must be an IP address, or a range such as 192.0.2.0/24');
