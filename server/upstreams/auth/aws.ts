/** AWS credentials for an upstream: keys of the configuration, a profile, or credentials of the machine. Each attempt has its own signature. */

import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
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
/** Milliseconds before credentials that were rejected although they are new are fetched again. */
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
  if (auth?.type !== 'sigv4') throw new TypeError('the upstream has no auth of type sigv4');
  const scope: Scope = { region: auth.region ?? aws?.region ?? '', service: auth.service ?? serviceOf(aws) };
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
      const lines = await sign(order, keys, { ...scope, at: new Date(now()) });
      signedWith.set(lines, keys);
      return lines;
    } catch (cause) {
      throw new GatewayError<CallCode>('upstream_error', { cause: new Error(`no AWS credentials: ${reasonOf(cause)}`) });
    }
  };
  return {
    lines: take,
    renew(answer, lines) {
      const used = signedWith.get(lines);
      if (fixed || used === undefined || !hasExpired(answer)) return false;
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
    // The upstream has only this credential, so a failure doesn't make it rest.
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

/** Milliseconds by which the provider's clock is ahead of ours, by the date of a response to a request without credentials; 0 when it has no date. */
async function aheadOf(baseUrl: string, now: () => number): Promise<number> {
  const answer = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_MS) }).catch(() => null);
  await answer?.body?.cancel();
  return Date.parse(answer?.headers.get('date') ?? '') - now() || 0;
}

/** Whether the credentials were rejected. Most 403 mean only that the role can't use the model. */
const hasExpired = ({ status, headers }: Pick<UpstreamAnswer, 'status' | 'headers'>): boolean =>
  status === 403 && /^(?:ExpiredToken|UnrecognizedClient)/.test(String(headers['x-amzn-errortype'] ?? ''));

function factsOf(keys: Awaited<ReturnType<KeyProvider>>, isFixed: boolean, { profile }: AuthOf<'sigv4'>): string[] {
  const source = isFixed ? 'configured keys' : profile === undefined ? 'credentials from the environment' : `profile ${profile}`;
  return [source, keys.expiration ? `until ${keys.expiration.toISOString()}` : 'no expiry'];
}

/** The reason to log: name and first line of the error only, because the library may quote a file after that. */
const reasonOf = (cause: unknown): string => (cause instanceof Error ? `${cause.name}: ${cause.message.split('\n')[0]}` : 'unknown');

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
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

type SourceData = string | ArrayBuffer | ArrayBufferView;

/** Region and service that a signature is valid for. */
export interface Scope {
  readonly region: string;
  readonly service: string;
}

/** The hash function that the library signs with: with a secret, an HMAC. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: SourceData): void {
    this.#hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new TypeError('a hash can be used only once');
  }
}

function bytesOf(data: SourceData): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
}

/** The header lines of one attempt. Headers that a proxy may change aren't signed. AWS accepts a signature for five minutes. */
export async function sign(order: Order, keys: AwsKeys, { region, service, at }: Scope & { readonly at: Date }): Promise<Lines> {
  const { method, host, contentType } = order;
  const [path = '', query = ''] = order.path.split('?');
  const request = {
    method,
    path,
    protocol: 'https:',
    hostname: host,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: { host, 'content-type': contentType },
    body: order.body ?? '',
  };
  const { headers } = await new SignatureV4({ region, service, credentials: keys, sha256: Sha256 }).sign(request, { signingDate: at });
  return Object.entries(headers).flatMap(([name, value]) => (name === 'content-type' ? [] : [name, value]));
}

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
