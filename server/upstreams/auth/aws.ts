/** AWS credentials for an upstream: keys of the configuration, a profile, or credentials of the machine. Each attempt has its own signature. */
import type { AuthOf } from '../../config/clouds/auth-schema.ts';
import { serviceOf } from '../../config/clouds/aws.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { Lines, Order } from '../credentials.ts';
import type { UpstreamAnswer } from '../upstream.ts';
import { watchExpiry } from './expiry-watch.ts';
import type { FetchedCredential } from './openers.ts';
import { type AwsKeys, Signer } from './sigv4.ts';
import type { TellRenewal } from './token-keeper.ts';

/** The library caches the credentials and fetches new ones before they expire. */
export type KeyProvider = (options?: { readonly forceRefresh?: boolean }) => Promise<AwsKeys & { readonly expiration?: Date | undefined }>;

const FETCH_MS = 5_000;
/** Milliseconds before credentials that were refused although they are new are fetched again. */
const REFUSED_MS = 60_000;
/** Clock difference that is reported. AWS accepts signatures for five minutes. */
const SKEW_MS = 240_000;

interface AwsOptions {
  readonly now?: () => number;
  readonly tell?: TellRenewal;
}

/** `openChain`: opens AWS's default chain, with a profile if one is named. */
export function openAws(
  upstream: HttpUpstreamConfig,
  openChain: (profile: string | undefined) => KeyProvider,
  { now = Date.now, tell = () => {} }: AwsOptions = {},
): FetchedCredential {
  const { auth, aws } = upstream;
  if (auth?.type !== 'sigv4') throw new TypeError('an upstream without auth of the type sigv4');
  const signer = new Signer({ region: auth.region ?? aws?.region ?? '', service: auth.service ?? serviceOf(aws) });
  const fixed = fixedKeys(auth);
  const provider: KeyProvider = fixed ? async () => fixed : openChain(auth.profile);
  const watch = watchExpiry(tell, now);
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
