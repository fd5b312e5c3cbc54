/** Strings of the configuration with a format: addresses, secrets, headers and names. No message contains the value. */
import { isIP } from 'node:net';
import { z } from 'zod';

/** Marks what nobody may read back: no answer, log or page shows such a value. It is JSON Schema's word for it. */
export const secret = { writeOnly: true } as const;

/** Headers that the gateway or the HTTP layer writes; a second one would break the request or allow request smuggling. */
const reserved = new Set([
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

function urlFault(text: string): string | null {
  if (!URL.canParse(text)) return 'is not a URL; it must start with http:// or https://';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must start with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'contains a user name or password; put the secret into apiKey';
  if (url.search !== '' || url.hash !== '') return 'must end with its path, without ? or #';
  return null;
}

export const HttpUrl = z
  .string()
  .max(2048)
  .superRefine((text, context) => {
    const fault = urlFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .overwrite((text) => text.replace(/\/+$/, ''));

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;
/** Whether what is sent there stays private: over TLS, or on this machine. */
export function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

/** Letter by letter as the provider names itself, with the slash at its end if it has one. */
export const Issuer = z
  .string()
  .max(2048)
  .superRefine((text, context) => {
    const fault = urlFault(text) ?? issuerFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });

function issuerFault(text: string): string | null {
  if (!isPrivate(text)) return 'must start with https://, except for an address of this machine';
  return text.includes('/.well-known/') ? 'is the address of the document; leave out /.well-known/ and what follows' : null;
}

/** `v1`, `v1beta`, `v2alpha1`. */
const version = /^v\d+(?:(?:alpha|beta)\d*)?$/;
/** Whether the path has a version of an API. */
export const namesVersion = (url: string): boolean => new URL(url).pathname.split('/').some((part) => version.test(part));

/** A base URL as the vendor's SDKs take it: the SDKs append the version, so it is optional here. */
export const versioned = (own: string) =>
  HttpUrl.overwrite((text) => (URL.canParse(text) && !namesVersion(text) ? `${text}/${own}` : text));

/** The address of a store, which may contain a password: no message contains it. */
const storeUrl = (schemes: readonly string[]) =>
  z
    .string()
    .max(2048)
    .refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), `must be an address that starts with ${schemes[0]}//`)
    .meta(secret);
export const DatabaseUrl = storeUrl(['postgres:', 'postgresql:']);
export const RedisUrl = storeUrl(['redis:', 'rediss:']);

/** It becomes a header, so a line break (a file read with its newline) would break every request. */
export const Secret = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[\x21-\x7e]*$/, 'contains a space, a line break or another character that is not allowed in a header')
  .meta(secret);

export const HeaderName = z
  .string()
  .max(128)
  .regex(/^[0-9A-Za-z!#$%&'*+.^_`|~-]+$/, 'is not a header name')
  .refine((name) => !reserved.has(name.toLowerCase()), 'is a header that the gateway writes itself');

export const HeaderValue = z
  .string()
  .max(4096)
  .regex(/^[\x20-\x7e]*$/, 'contains a character that is not allowed in a header')
  .meta(secret);

export const UpstreamName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/, 'must have lower-case letters, digits and hyphens, and start with a letter');

export const ModelId = z
  .string()
  .max(200)
  .regex(/^[0-9A-Za-z][0-9A-Za-z._:/@+-]*$/, 'must be a model id of letters, digits and . _ : / @ + -');

function isIpRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */
export const IpRange = z.string().max(64).refine(isIpRange, 'must be an IP address, or a range such as 192.0.2.0/24');
