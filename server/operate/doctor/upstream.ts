/** Checks an upstream: DNS, TCP, TLS, and its keys, with the free model list. */

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { KeyCheck } from '../../api/admin/running-gateway.ts';
import { cloudNames } from '../../config/clouds/cloud.ts';
import { getModelListUrl } from '../../config/clouds/resolve-cloud.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { getKeyHeaders, getKindHeaders } from '../../config/key-headers.ts';
import { hasApiVersion } from '../../config/values.ts';
import { loadAuthOpeners } from '../../providers/auth-openers.ts';
import { getLastFour } from '../../providers/credentials.ts';
import type { CredentialFacts } from '../../providers/open-auth.ts';
import {
  type CheckResult,
  formatMilliseconds,
  getErrorCode,
  getReason,
  measureTime,
  reportFault,
  reportOk,
  reportWarning,
} from './check-result.ts';

export const DAY_MS = 86_400_000;
const CERTIFICATE_WARNING_DAYS = 14;
const MODEL_LIST_TIMEOUT_MS = 10_000;

export async function examineUpstream(upstream: HttpUpstreamConfig): Promise<CheckResult> {
  const connection = await examineConnection(upstream);
  if (connection.state === 'fault') return addKeyDetail(upstream, connection);
  const credential = await fetchCredential(upstream).catch((error: unknown) => new Error(getReason(error)));
  if (credential instanceof Error) {
    const result = toFailedCredential(credential);
    return { ...result, detail: `${connection.detail}, ${result.detail}` };
  }
  if (credential) return await examineCredential(upstream, connection, credential);
  const keys = listKeys(upstream);
  let detail = connection.detail;
  // Tests each key separately, because working keys would otherwise hide a rejected one.
  for (const [index, key] of (keys.length === 0 ? [null] : keys).entries()) {
    const modelList = await listModels(upstream, key === null ? {} : getKeyHeaders(upstream, key));
    detail = `${connection.detail}, ${modelList.detail}`;
    if (modelList.state !== 'ok') return { ...modelList, detail: keys.length > 1 ? `${detail} (apiKeys[${index}])` : detail };
  }
  return addKeyDetail(upstream, { ...connection, detail });
}

/** Requests the model list with each key in use, or with a fetched token. Never rejects. */
export async function checkUpstreamKeys(upstream: HttpUpstreamConfig): Promise<readonly KeyCheck[]> {
  const credential = await fetchCredential(upstream).catch((error: unknown) => new Error(getReason(error)));
  if (credential instanceof Error) return [{ lastFour: null, ...toFailedCredential(credential) }];
  const untested = { lastFour: null, state: 'skipped' as const, detail: formatUntested(upstream) };
  if (getModelListUrl(upstream) === null || (credential && Object.keys(credential.headers).length === 0)) return [untested];
  const keys = listKeys(upstream);
  if (credential || keys.length === 0) return [{ lastFour: null, ...(await listModels(upstream, credential?.headers ?? {})) }];
  return await Promise.all(
    keys.map(async (key) => ({ lastFour: getLastFour(key), ...(await listModels(upstream, getKeyHeaders(upstream, key))) })),
  );
}

const toFailedCredential = ({ message }: Error) => reportFault(`no access token: ${message}`, CREDENTIAL_HINT);

const CREDENTIAL_HINT =
  "Check this upstream's auth and the environment variables in it. The provider's documentation explains the codes of its token endpoint.";
const CLOCK_HINT = 'Synchronize this machine with a time server. Otherwise, tokens seem to expire too early or too late.';

async function examineCredential(upstream: HttpUpstreamConfig, connection: CheckResult, credential: CredentialFacts): Promise<CheckResult> {
  const detail = [connection.detail, ...credential.facts].join(', ');
  if (credential.skewMs !== undefined)
    return reportWarning(`${detail}; its clock and this one are ${formatMilliseconds(Math.abs(credential.skewMs))} apart`, CLOCK_HINT);
  // Signed requests have no fixed headers, so the model list can't be requested.
  if (Object.keys(credential.headers).length === 0) return { ...connection, detail: `${detail}, ${formatUntested(upstream)}` };
  const modelList = await listModels(upstream, credential.headers);
  return modelList.state === 'ok'
    ? { ...connection, detail: `${detail}, ${modelList.detail}` }
    : { ...modelList, detail: `${detail}, ${modelList.detail}` };
}

/** For an upstream whose model list can't be requested. */
const formatUntested = ({ name }: HttpUpstreamConfig): string => `not tested with its key: modelgate upstream test ${name}`;

const listKeys = ({ apiKey, apiKeys }: HttpUpstreamConfig): readonly string[] => apiKeys ?? (apiKey === undefined ? [] : [apiKey]);

const addKeyDetail = (upstream: HttpUpstreamConfig, result: CheckResult): CheckResult =>
  listKeys(upstream).length === 0 && result.state === 'ok' ? { ...result, detail: `${result.detail}, no key configured` } : result;

/** Shows only the host of a `baseUrl` from the file, but the whole URL if a cloud filled it in. */
async function examineConnection(upstream: HttpUpstreamConfig): Promise<CheckResult> {
  const { hostname, port, protocol, host: urlHost } = new URL(upstream.baseUrl);
  const host = cloudNames.some((place) => upstream[place] !== undefined) ? upstream.baseUrl : urlHost;
  const maxMs = upstream.timeouts.connectMs;
  const bareHostname = hostname.replace(/^\[|\]$/g, '');
  const lookupResult = await measureTime(() => lookup(bareHostname)).catch((error: unknown) => ({ error }));
  if ('error' in lookupResult) {
    return reportFault(
      `${host}: the name can't be resolved (${getErrorCode(lookupResult.error) ?? 'unknown'})`,
      "Check baseUrl and this machine's DNS settings (resolv.conf).",
    );
  }
  const isTls = protocol === 'https:';
  const address = { host: bareHostname, port: Number(port || (isTls ? 443 : 80)) };
  try {
    const tcp = await measureTime(() => waitForOpen(connectTcp(address), 'connect', maxMs));
    const detail = `${host}: DNS ${formatMilliseconds(lookupResult.ms)}, TCP ${formatMilliseconds(tcp.ms)}`;
    if (!isTls) {
      tcp.value.destroy();
      return reportOk(detail);
    }
    return await examineTls(tcp.value, bareHostname, detail, maxMs);
  } catch (error) {
    return reportFault(
      `${host}: no connection (${getErrorCode(error) ?? getReason(error)})`,
      'Check baseUrl, and check that this machine can connect to it (firewall, proxy).',
    );
  }
}

async function waitForOpen<S extends Socket>(socket: S, event: string, maxMs: number): Promise<S> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(maxMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof Error && error.name === 'AbortError' ? new Error(`no response within ${maxMs} ms`) : error;
  }
}

async function examineTls(socket: Socket, hostname: string, facts: string, maxMs: number): Promise<CheckResult> {
  try {
    const tls = await measureTime(() =>
      waitForOpen(connectTls({ socket, ...(isIP(hostname) === 0 && { servername: hostname }) }), 'secureConnect', maxMs),
    );
    const days = Math.floor((Date.parse(getCertificateEnd(tls.value)) - Date.now()) / DAY_MS);
    tls.value.destroy();
    const detail = `${facts}, TLS ${formatMilliseconds(tls.ms)}, certificate for ${days} days`;
    return days < CERTIFICATE_WARNING_DAYS
      ? reportWarning(detail, 'Check that the certificate is renewed before it expires. Otherwise, every call will fail.')
      : reportOk(detail);
  } catch (error) {
    const hint =
      "Check this machine's clock, and set NODE_EXTRA_CA_CERTS if a proxy requires it. If both are correct, the certificate is invalid or has expired.";
    return reportFault(`${facts}, TLS failed (${getErrorCode(error) ?? getReason(error)})`, hint);
  } finally {
    socket.destroy();
  }
}

const getCertificateEnd = (socket: TLSSocket): string => socket.getPeerCertificate().valid_to;

function toRejectedCredential(detail: string, type: string | undefined): CheckResult {
  if (type === 'entra')
    return reportFault(
      `${detail}: the token was rejected`,
      'Give the identity the role Cognitive Services OpenAI User, and check auth.scope.',
    );
  if (type === 'google')
    return reportFault(`${detail}: the token was rejected`, 'Give the account the role roles/aiplatform.user, and check auth.scopes.');
  return reportFault(`${detail}: the key was rejected`, "Check this upstream's apiKey and the variable or file in it.");
}

const isNotFoundStatus = (status: number): boolean => status === 404 || status === 405;

/** Returns whether the URL exists. A rejected key counts as a response. */
async function urlExists(url: string, headers: Record<string, string>): Promise<boolean> {
  const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(MODEL_LIST_TIMEOUT_MS) }).catch(() => null);
  await response?.body?.cancel();
  return response !== null && response.status < 500 && !isNotFoundStatus(response.status);
}

/** Requests the model list, which is free at every provider and rejects a wrong key. */
async function listModels(upstream: HttpUpstreamConfig, credential: Readonly<Record<string, string>>): Promise<CheckResult> {
  const { baseUrl, headers, auth } = upstream;
  const url = getModelListUrl(upstream);
  if (url === null) return reportOk(formatUntested(upstream));
  const kindHeaders = { ...getKindHeaders(upstream), ...credential };
  const listResult = await measureTime(() =>
    fetch(url, { headers: { ...headers, ...kindHeaders }, redirect: 'error', signal: AbortSignal.timeout(MODEL_LIST_TIMEOUT_MS) }),
  ).catch(getReason);
  if (typeof listResult === 'string')
    return reportFault(`models: ${listResult}`, "The provider accepts connections but doesn't respond correctly. See its status page.");
  const { status, body } = listResult.value;
  await body?.cancel();
  const detail = `models ${status} in ${formatMilliseconds(listResult.ms)}`;
  if (status === 401 || status === 403) return toRejectedCredential(detail, auth?.type);
  if (isNotFoundStatus(status) && !hasApiVersion(baseUrl) && (await urlExists(`${baseUrl}/v1/models`, { ...headers, ...kindHeaders })))
    return reportFault(`${detail}: not found, but it responds with /v1`, `Add /v1 to the end of this upstream's baseUrl.`);
  if (isNotFoundStatus(status))
    return reportWarning(
      `${detail}: no model list, ${formatUntested(upstream)}`,
      "Some servers don't have one. If this one should, check baseUrl.",
    );
  return status < 400 ? reportOk(detail) : reportWarning(detail, 'The provider responds with an error. See its status page.');
}

/** Returns null if the upstream uses configured keys. Rejects with the reason if no credential can be fetched. */
async function fetchCredential(upstream: HttpUpstreamConfig): Promise<CredentialFacts | null> {
  const { auth, name } = upstream;
  if (auth === undefined) return null;
  const credential = (await loadAuthOpeners({ [name]: upstream }))[auth.type]?.(upstream);
  if (!credential) return null;
  try {
    return (await credential.describe?.()) ?? null;
  } finally {
    await credential.close();
  }
}
