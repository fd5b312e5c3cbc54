/** AWS credentials for an upstream: keys of the configuration, a profile, or credentials of the machine. Each attempt has its own signature. */

import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { serviceOf } from '../../config/clouds/place.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import type { AuthOf } from '../../config/values.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { FetchedCredential, Lines, Order } from '../credentials.ts';
import type { UpstreamAnswer } from '../upstream.ts';
import { type ReportRenewal, watchExpiry } from './token-keeper.ts';

/** The library caches the credentials and fetches new ones before they expire. */
export type KeyProvider = (options?: { readonly forceRefresh?: boolean }) => Promise<AwsKeys & { readonly expiration?: Date | undefined }>;

const FETCH_MS = 5_000;
/** Milliseconds before credentials that were refused although they are new are fetched again. */
const REFUSED_MS = 60_000;
/** Clock difference that is reported. AWS accepts signatures for five minutes. */
const SKEW_MS = 240_000;

interface AwsOptions {
  readonly now?: () => number;
  readonly report?: ReportRenewal;
}

/** `openChain`: opens AWS's default chain, with a profile if one is named. */
export function openAws(
  upstream: HttpUpstreamConfig,
  openChain: (profile: string | undefined) => KeyProvider,
  { now = Date.now, report = () => {} }: AwsOptions = {},
): FetchedCredential {
  const { auth, aws } = upstream;
  if (auth?.type !== 'sigv4') throw new TypeError('an upstream without auth of the type sigv4');
  const signer = new Signer({ region: auth.region ?? aws?.region ?? '', service: auth.service ?? serviceOf(aws) });
  const fixed = fixedKeys(auth);
  const provider: KeyProvider = fixed ? async () => fixed : openChain(auth.profile);
  const watch = watchExpiry(report, now);
  const signedWith = new WeakMap<Lines, AwsKeys>();
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let replaced: AwsKeys | undefined;
  let refreshing: ReturnType<KeyProvider> | null = null;
  const take = async (order: Order): Promise<Lines> => {
    try {
      const keys = await within(FETCH_MS, refreshing ?? provider());
      watch(keys);
      const lines = signer.sign(order, keys, new Date(now()));
      signedWith.set(lines, keys);
      return lines;
    } catch (cause) {
      throw new GatewayError<CallCode>('upstream_error', { cause: new Error(`no credentials of AWS: ${reasonOf(cause)}`) });
    }
  };
  return {
    lines: (order) => (fixed ? signer.sign(order, fixed, new Date(now())) : take(order)),
    renew(answer, lines) {
      const used = signedWith.get(lines);
      if (used === undefined || !hasExpired(answer)) return false;
      // Another request has replaced them already.
      if (used === replaced) return true;
      if (now() - refreshedAt < REFUSED_MS) return false;
      refreshedAt = now();
      replaced = used;
      const fresh = provider({ forceRefresh: true });
      refreshing = fresh;
      const done = (): void => {
        refreshing = null;
      };
      fresh.then(done, done);
      return true;
    },
    // The upstream has only this credential, so a failure does not make it rest.
    note: () => {},
    async describe() {
      const keys = await within(FETCH_MS, provider());
      const aheadMs = await aheadOf(upstream.baseUrl, now);
      const facts = factsOf(keys, fixed !== undefined, auth);
      return { headers: {}, facts, ...(Math.abs(aheadMs) > SKEW_MS && { skewMs: aheadMs }) };
    },
    close: async () => {},
  };
}

function fixedKeys({ accessKeyId, secretAccessKey, sessionToken }: AuthOf<'sigv4'>): AwsKeys | undefined {
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey, sessionToken };
}

/** Milliseconds by which the vendor's clock is ahead of ours, by the date of an answer to a request without credentials; 0 when it has no date. */
async function aheadOf(baseUrl: string, now: () => number): Promise<number> {
  const answer = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_MS) }).catch(() => null);
  await answer?.body?.cancel();
  return Date.parse(answer?.headers.get('date') ?? '') - now() || 0;
}

/** Whether the credentials were refused. Most 403 mean only that the role may not use the model. */
const hasExpired = ({ status, headers }: Pick<UpstreamAnswer, 'status' | 'headers'>): boolean =>
  status === 403 && /^(?:ExpiredToken|UnrecognizedClient)/.test(String(headers['x-amzn-errortype'] ?? ''));

function factsOf(keys: Awaited<ReturnType<KeyProvider>>, isFixed: boolean, { profile }: AuthOf<'sigv4'>): string[] {
  const source = isFixed
    ? 'keys of the configuration'
    : profile === undefined
      ? 'credentials that the machine offers'
      : `profile ${profile}`;
  return [source, keys.expiration ? `until ${keys.expiration.toISOString()}` : 'without an end'];
}

/** The reason to log: name and first line of the error only, because the library may quote a file after that. */
const reasonOf = (cause: unknown): string => (cause instanceof Error ? `${cause.name}: ${cause.message.split('\n')[0]}` : 'unknown');

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing within ${ms} ms`)), ms);
    });
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Region and service that a signature is valid for. */
export interface Scope {
  readonly region: string;
  readonly service: string;
}

type Header = readonly [name: string, value: string];

export interface Signable {
  readonly method: string;
  /** The path as it is sent, with its query. */
  readonly path: string;
  /** The signed headers, with `x-amz-date`: lower-case names, sorted. */
  readonly headers: readonly Header[];
  /** SHA-256 of the body in hexadecimal digits. */
  readonly hash: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

export class Signer {
  readonly #scope: Scope;
  /** The key that is derived from a secret, which is valid for a day. */
  #derived: { readonly secret: string; readonly day: string; readonly key: KeyObject } | null = null;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** The header lines of one attempt. Headers that a proxy may change are not signed. AWS accepts a signature for five minutes. */
  sign(order: Order, keys: AwsKeys, now: Date): Lines {
    const digest = sha256(order.body ?? '');
    const own: readonly Header[] = [
      ['host', order.host],
      ['x-amz-content-sha256', digest],
      ['x-amz-date', now.toISOString().replace(/[-:]|\.\d{3}/g, '')],
      ...(keys.sessionToken === undefined ? [] : [['x-amz-security-token', keys.sessionToken] as const]),
    ];
    const headers: readonly Header[] = [['content-type', order.contentType], ...own];
    return ['authorization', this.authorization({ method: order.method, path: order.path, headers, hash: digest }, keys), ...own.flat()];
  }

  authorization({ method, path: target, headers, hash: digest }: Signable, keys: AwsKeys): string {
    const time = headers.find(([name]) => name === 'x-amz-date')?.[1] ?? '';
    const names = headers.map(([name]) => name).join(';');
    const [path = '', query = ''] = target.split('?');
    const lines = headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`);
    const canonical = [method, canonicalPath(path), canonicalQuery(query), ...lines, '', names, digest].join('\n');
    const day = time.slice(0, 8);
    const scope = `${day}/${this.#scope.region}/${this.#scope.service}/aws4_request`;
    const text = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
    const signature = hmac(this.#keyOf(keys.secretAccessKey, day), text).toString('hex');
    return `${ALGORITHM} Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  }

  /** A `KeyObject`, because Node prepares any other key anew for each signature. */
  #keyOf(secret: string, day: string): KeyObject {
    const kept = this.#derived;
    if (kept && kept.secret === secret && kept.day === day) return kept.key;
    const { region, service } = this.#scope;
    const key = createSecretKey([region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, day)));
    this.#derived = { secret, day, key };
    return key;
  }
}

const sha256 = (bytes: string | Buffer): string => hash('sha256', bytes, 'hex');
const hmac = (key: string | Buffer | KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Encodes a text by RFC 3986, with the five characters that `encodeURIComponent` leaves. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** The path as it is sent, encoded once more. */
const canonicalPath = (path: string): string => path.split('/').map(encode).join('/') || '/';

/** The query, sorted by name, then by value. */
const canonicalQuery = (query: string): string =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, first], [b, second]) => (a === b ? inBytes(first, second) : inBytes(a, b)))
    .map((pair) => pair.join('='))
    .join('&');

const inBytes = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export function openChain(profile: string | undefined): KeyProvider {
  let loaded: Promise<KeyProvider> | undefined;
  return async (options) => {
    loaded ??= load(profile);
    return (await loaded)(options);
  };
}

async function load(profile: string | undefined): Promise<KeyProvider> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider({ ...(profile !== undefined && { profile }) });
}
