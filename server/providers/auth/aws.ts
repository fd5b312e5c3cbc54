/** AWS credentials for an upstream: keys of the configuration, a profile, or credentials of the machine. Each attempt has its own signature. */

import type { AuthByType } from '../../config/auth-settings.ts';
import { getSigningService } from '../../config/clouds/aws.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import type { HeaderLines, SignableRequest } from '../credentials.ts';
import type { FetchedCredential } from '../open-auth.ts';
import type { UpstreamResponse } from '../upstream.ts';
import { type AwsKeys, type SigningScope, signRequest } from './sign-request.ts';
import type { ReportRenewal } from './token-cache.ts';

/** The library caches credentials and fetches new ones before they expire. */
export type KeyProvider = (options?: { readonly forceRefresh?: boolean }) => Promise<AwsKeys & { readonly expiration?: Date | undefined }>;

const FETCH_TIMEOUT_MS = 5_000;
/** How long to wait before fetching credentials again after AWS rejected new ones, in milliseconds. */
const MIN_REFRESH_INTERVAL_MS = 60_000;
/** The clock difference to report. AWS accepts signatures for five minutes. */
const MAX_CLOCK_SKEW_MS = 240_000;

/** `openChain` opens AWS's default credential chain, with a profile if one is named. */
export function openAws(
  upstream: HttpUpstreamConfig,
  openChain: (profile: string | undefined) => KeyProvider,
  { now = Date.now, report = () => {} }: { now?: () => number; report?: ReportRenewal } = {},
): FetchedCredential {
  const { auth, aws } = upstream;
  if (auth?.type !== 'sigv4') throw new TypeError('the upstream has no auth of type sigv4');
  const scope: SigningScope = { region: auth.region ?? aws?.region ?? '', service: auth.service ?? getSigningService(aws) };
  const fixedKeys = findFixedKeys(auth);
  const provider: KeyProvider = fixedKeys ? async () => fixedKeys : openChain(auth.profile);
  const reportExpiry = watchExpiry(report, now);
  const keysByLines = new WeakMap<HeaderLines, AwsKeys>();
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let replacedKeys: AwsKeys | undefined;
  let pendingRefresh: ReturnType<KeyProvider> | null = null;
  const signLines = async (request: SignableRequest): Promise<HeaderLines> => {
    try {
      const credentials = await withTimeout(FETCH_TIMEOUT_MS, pendingRefresh ?? provider());
      reportExpiry(credentials);
      const lines = await signRequest(request, credentials, { ...scope, at: new Date(now()) });
      keysByLines.set(lines, credentials);
      return lines;
    } catch (cause) {
      throw new GatewayError<CallCode>('upstream_error', { cause: new Error(`no AWS credentials: ${getReason(cause)}`) });
    }
  };
  return {
    getLines: signLines,
    renew(response, lines) {
      const usedKeys = keysByLines.get(lines);
      if (fixedKeys || usedKeys === undefined || !hasExpired(response)) return false;
      // Another request has already replaced these credentials.
      if (usedKeys === replacedKeys) return true;
      if (now() - refreshedAt < MIN_REFRESH_INTERVAL_MS) return false;
      refreshedAt = now();
      replacedKeys = usedKeys;
      const refresh = provider({ forceRefresh: true });
      pendingRefresh = refresh;
      const endRefresh = (): void => {
        pendingRefresh = null;
      };
      refresh.then(endRefresh, endRefresh);
      return true;
    },
    // The upstream has only this credential, so a failure doesn't start a cooldown.
    recordStatus: () => {},
    async describe() {
      const keys = await withTimeout(FETCH_TIMEOUT_MS, provider());
      const skewMs = await measureClockSkew(upstream.baseUrl, now);
      const facts = describeKeys(keys, fixedKeys !== undefined, auth);
      return { headers: {}, facts, ...(Math.abs(skewMs) > MAX_CLOCK_SKEW_MS && { skewMs }) };
    },
    close: async () => {},
  };
}

function findFixedKeys({ accessKeyId, secretAccessKey, sessionToken }: AuthByType<'sigv4'>): AwsKeys | undefined {
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey, sessionToken };
}

/** Measures how far the provider's clock is ahead of ours, in milliseconds, with a request without credentials. 0 if the response has no date. */
async function measureClockSkew(baseUrl: string, now: () => number): Promise<number> {
  const response = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch(() => null);
  await response?.body?.cancel();
  return Date.parse(response?.headers.get('date') ?? '') - now() || 0;
}

/** Whether AWS rejected the credentials. Most 403s mean only that the role can't use the model. */
const hasExpired = ({ status, headers }: Pick<UpstreamResponse, 'status' | 'headers'>): boolean =>
  status === 403 && /^(?:ExpiredToken|UnrecognizedClient)/.test(String(headers['x-amzn-errortype'] ?? ''));

function describeKeys(keys: Awaited<ReturnType<KeyProvider>>, isFixed: boolean, { profile }: AuthByType<'sigv4'>): string[] {
  const source = isFixed ? 'configured keys' : profile === undefined ? 'credentials from the environment' : `profile ${profile}`;
  return [source, keys.expiration ? `until ${keys.expiration.toISOString()}` : 'no expiry'];
}

/** Returns the reason to log: only the error's name and first line, because the library may quote a file after that. */
const getReason = (cause: unknown): string => (cause instanceof Error ? `${cause.name}: ${cause.message.split('\n')[0]}` : 'unknown');

async function withTimeout<T>(ms: number, operation: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
    });
    return await Promise.race([operation, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export function openChain(profile: string | undefined): KeyProvider {
  let provider: Promise<KeyProvider> | undefined;
  return async (options) => {
    provider ??= loadProvider(profile);
    return (await provider)(options);
  };
}

async function loadProvider(profile: string | undefined): Promise<KeyProvider> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider({ ...(profile !== undefined && { profile }) });
}

/** AWS's library renews credentials five minutes before they expire. With less than this left, renewal has failed. */
const MIN_REMAINING_MS = 240_000;

/** An idle upstream uses old credentials while new ones are fetched, so they count as late only after this time. */
const LATE_GRACE_MS = 30_000;

/** Returns a function to call with the credentials of each request. It reports once that they're late, and once that they were renewed. */
function watchExpiry(report: ReportRenewal, now: () => number): (credentials: { expiration?: Date | undefined }) => void {
  let lateSince: number | null = null;
  let isReported = false;
  return ({ expiration }) => {
    const endsAt = expiration?.getTime() ?? Number.POSITIVE_INFINITY;
    if (endsAt - now() >= MIN_REMAINING_MS) {
      if (isReported) report({ kind: 'renewed' });
      lateSince = null;
      isReported = false;
      return;
    }
    lateSince ??= now();
    if (isReported || now() - lateSince < LATE_GRACE_MS) return;
    isReported = true;
    report({ kind: 'failed', cause: new Error('the credential source returned no newer credentials'), endsAt });
  };
}
