/** Checks the network of upstreams and listeners for `modelgate doctor`: DNS, TCP, and TLS, and with --upstream also the free model list. It never makes a paid call. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, createServer, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { placeNames } from '../config/clouds/auth.ts';
import { modelListOf } from '../config/clouds/place.ts';
import { type HttpUpstreamConfig, keyHeadersOf, kindHeadersOf } from '../config/config.ts';
import { namesVersion } from '../config/values.ts';
import { isUnreachable, openProvider, type ProviderSettings } from '../sessions/oidc.ts';
import type { CredentialFacts } from '../upstreams/credentials.ts';
import { loadAuthOpeners } from '../upstreams/kinds.ts';
import { codeOf, fault, milliseconds, ok, reasonOf, timed, type Verdict, warning } from './stores.ts';

export const DAY_MS = 86_400_000;
const ENDING_DAYS = 14;
const LIST_MS = 10_000;

export async function examineUpstream(upstream: HttpUpstreamConfig, asksForModels: boolean): Promise<Verdict> {
  const reached = await reach(upstream);
  if (reached.state === 'fault') return withKey(upstream, reached);
  const fetched = await fetchCredential(upstream).catch((error: unknown) => new Error(reasonOf(error)));
  if (fetched instanceof Error) return fault(`${reached.detail}, no access token: ${fetched.message}`, CREDENTIAL);
  if (fetched) return await examineFetched(upstream, { reached, fetched, asksForModels });
  if (!asksForModels) return withKey(upstream, reached);
  const keys = keysOf(upstream);
  let detail = reached.detail;
  // Each key separately: otherwise working keys would hide a rejected one.
  for (const [index, key] of (keys.length === 0 ? [null] : keys).entries()) {
    const listed = await listModels(upstream, key === null ? {} : keyHeadersOf(upstream, key));
    detail = `${reached.detail}, ${listed.detail}`;
    if (listed.state !== 'ok') return { ...listed, detail: keys.length > 1 ? `${detail} (apiKeys[${index}])` : detail };
  }
  return { ...reached, detail };
}

const CREDENTIAL =
  "Check this upstream's auth and the environment variables in it. The provider's documentation explains the codes of its token endpoint.";
const CLOCK = 'Synchronize this machine with a time server. Otherwise, tokens seem to expire too early or too late.';

interface Fetched {
  readonly reached: Verdict;
  readonly fetched: CredentialFacts;
  readonly asksForModels: boolean;
}

async function examineFetched(upstream: HttpUpstreamConfig, { reached, fetched, asksForModels }: Fetched): Promise<Verdict> {
  const detail = [reached.detail, ...fetched.facts].join(', ');
  if (fetched.skewMs !== undefined)
    return warning(`${detail}; its clock and this one are ${milliseconds(Math.abs(fetched.skewMs))} apart`, CLOCK);
  // Requests with signatures have no headers here, so the model list can't be requested.
  if (!asksForModels || Object.keys(fetched.headers).length === 0) return { ...reached, detail };
  const listed = await listModels(upstream, fetched.headers);
  return listed.state === 'ok'
    ? { ...reached, detail: `${detail}, ${listed.detail}` }
    : { ...listed, detail: `${detail}, ${listed.detail}` };
}

const keysOf = ({ apiKey, apiKeys }: HttpUpstreamConfig): readonly string[] => apiKeys ?? (apiKey === undefined ? [] : [apiKey]);

const withKey = (upstream: HttpUpstreamConfig, verdict: Verdict): Verdict =>
  keysOf(upstream).length === 0 && verdict.state === 'ok' ? { ...verdict, detail: `${verdict.detail}, no key configured` } : verdict;

/** Shows only the host of a `baseUrl` from the file, but the whole URL if a cloud filled it in. */
async function reach(upstream: HttpUpstreamConfig): Promise<Verdict> {
  const { hostname, port, protocol, host: own } = new URL(upstream.baseUrl);
  const host = placeNames.some((place) => upstream[place] !== undefined) ? upstream.baseUrl : own;
  const maxMs = upstream.timeouts.connectMs;
  const name = hostname.replace(/^\[|\]$/g, '');
  const named = await timed(() => lookup(name)).catch((error: unknown) => error);
  if (named instanceof Error || !isTimed(named)) {
    return fault(
      `${host}: the name can't be resolved (${codeOf(named) ?? 'unknown'})`,
      "Check baseUrl and this machine's DNS settings (resolv.conf).",
    );
  }
  const isTls = protocol === 'https:';
  const place = { host: name, port: Number(port || (isTls ? 443 : 80)) };
  try {
    const tcp = await timed(() => opened(connectTcp(place), 'connect', maxMs));
    const facts = `${host}: DNS ${milliseconds(named.ms)}, TCP ${milliseconds(tcp.ms)}`;
    if (!isTls) {
      tcp.value.destroy();
      return ok(facts);
    }
    return await handshake(tcp.value, { name, facts, maxMs });
  } catch (error) {
    return fault(
      `${host}: no connection (${codeOf(error) ?? reasonOf(error)})`,
      'Check baseUrl, and check that this machine can connect to it (firewall, proxy).',
    );
  }
}

const isTimed = (value: unknown): value is { readonly ms: number } => typeof value === 'object' && value !== null && 'ms' in value;

async function opened<S extends Socket>(socket: S, event: string, maxMs: number): Promise<S> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(maxMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof Error && error.name === 'AbortError' ? new Error(`no response within ${maxMs} ms`) : error;
  }
}

interface Handshake {
  readonly name: string;
  readonly facts: string;
  readonly maxMs: number;
}

async function handshake(socket: Socket, { name, facts, maxMs }: Handshake): Promise<Verdict> {
  try {
    const tls = await timed(() => opened(connectTls({ socket, ...(isIP(name) === 0 && { servername: name }) }), 'secureConnect', maxMs));
    const days = Math.floor((Date.parse(certificateEnd(tls.value)) - Date.now()) / DAY_MS);
    tls.value.destroy();
    const detail = `${facts}, TLS ${milliseconds(tls.ms)}, certificate for ${days} days`;
    return days < ENDING_DAYS
      ? warning(detail, 'Check that the certificate is renewed before it expires. Otherwise, every call will fail.')
      : ok(detail);
  } catch (error) {
    const hint =
      "Check this machine's clock, and set NODE_EXTRA_CA_CERTS if a proxy requires it. If both are correct, the certificate is invalid or has expired.";
    return fault(`${facts}, TLS failed (${codeOf(error) ?? reasonOf(error)})`, hint);
  } finally {
    socket.destroy();
  }
}

const certificateEnd = (socket: TLSSocket): string => socket.getPeerCertificate().valid_to;

function rejectedCredential(detail: string, type: string | undefined): Verdict {
  if (type === 'entra')
    return fault(`${detail}: the token was rejected`, 'Give the identity the role Cognitive Services OpenAI User, and check auth.scope.');
  if (type === 'google')
    return fault(`${detail}: the token was rejected`, 'Give the account the role roles/aiplatform.user, and check auth.scopes.');
  return fault(`${detail}: the key was rejected`, "Check this upstream's apiKey and the environment variable in it.");
}

const isUnknownAddress = (status: number): boolean => status === 404 || status === 405;

/** Returns whether the URL exists. A rejected key counts as a response. */
async function isThere(address: string, headers: Record<string, string>): Promise<boolean> {
  const asked = await fetch(address, { headers, redirect: 'error', signal: AbortSignal.timeout(LIST_MS) }).catch(() => null);
  await asked?.body?.cancel();
  return asked !== null && asked.status < 500 && !isUnknownAddress(asked.status);
}

/** Requests the model list, which is free at every provider and rejects a wrong key. */
async function listModels(upstream: HttpUpstreamConfig, credential: Readonly<Record<string, string>>): Promise<Verdict> {
  const { baseUrl, headers, auth } = upstream;
  const address = modelListOf(upstream);
  if (address === null) return ok('no model list to request');
  const own = { ...kindHeadersOf(upstream), ...credential };
  const asked = await timed(() =>
    fetch(address, { headers: { ...headers, ...own }, redirect: 'error', signal: AbortSignal.timeout(LIST_MS) }),
  ).catch(reasonOf);
  if (typeof asked === 'string')
    return fault(`models: ${asked}`, "The provider accepts connections but doesn't respond correctly. See its status page.");
  const { status, body } = asked.value;
  await body?.cancel();
  const detail = `models ${status} in ${milliseconds(asked.ms)}`;
  if (status === 401 || status === 403) return rejectedCredential(detail, auth?.type);
  if (isUnknownAddress(status) && !namesVersion(baseUrl) && (await isThere(`${baseUrl}/v1/models`, { ...headers, ...own })))
    return fault(`${detail}: not found, but it responds with /v1`, `Add /v1 to the end of this upstream's baseUrl.`);
  if (isUnknownAddress(status))
    return warning(`${detail}: no model list`, "Some servers don't have one. If this one should, check baseUrl.");
  return status < 400 ? ok(detail) : warning(detail, 'The provider responds with an error. See its status page.');
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Path that returns 200 when the gateway is ready. Null if it isn't checked. */
  readonly health: string | null;
  /** Whether `serve` uses any free port if this one is in use. */
  readonly mayMove?: boolean;
  /** Setting that selects the port. */
  readonly setting: string;
}

const ANSWER_MS = 3_000;

export async function examineListener({ host, port, health, setting, mayMove = false }: Listener): Promise<Verdict> {
  if (port === 0) return ok(`${host}, any free port`);
  const problem = await tryPort(host, port);
  const place = `${host}:${port}`;
  if (problem === null) return ok(`${place} is free; no gateway is running here`);
  if (problem === 'EADDRINUSE')
    return health === null
      ? ok(`${place} is in use, by a gateway if one is running here`)
      : askGateway(`http://${callable(host)}:${port}`, { place, health, setting, mayMove });
  if (problem === 'EACCES') return fault(`this user can't listen on ${place}`, `Choose a port above 1023 with ${setting}.`);
  return fault(
    `can't listen on ${place} (${problem})`,
    `Check that ${host} is an address of this machine, and set it with ${setting.replaceAll('port', 'host')}.`,
  );
}

async function tryPort(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return null;
  } catch (error) {
    return codeOf(error) ?? 'unknown';
  }
}

const callable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

interface Asked extends Pick<Listener, 'setting'> {
  readonly place: string;
  readonly health: string;
  readonly mayMove: boolean;
}

async function askGateway(origin: string, { place, health, setting, mayMove }: Asked): Promise<Verdict> {
  const answer = await timed(() => fetch(`${origin}${health}`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })).catch(
    () => null,
  );
  const isOurs = answer?.value.headers.get('x-request-id')?.startsWith('req_') === true;
  if (!answer || !isOurs) {
    const taken = `${place} is in use by another program`;
    if (mayMove)
      return warning(`${taken}; the gateway will use a free port`, `It prints the port on start. To choose one, set ${setting}.`);
    return fault(taken, `Stop that program, or choose another port with ${setting}.`);
  }
  const { status } = answer.value;
  const said = await answer.value.text();
  const detail = `a gateway responds at ${place} in ${milliseconds(answer.ms)}`;
  if (status === 503)
    return fault(
      `${detail} and isn't ready`,
      "The gateway is stopping, or its database doesn't respond. See the other findings and its log.",
    );
  if (said.includes('own share'))
    return warning(`${detail}; it counts limits without Redis`, 'Check that the gateway can connect to Redis. See the finding for redis.');
  return ok(detail);
}

const KEYS_MS = 5_000;

export async function examineIssuer(settings: ProviderSettings): Promise<Verdict> {
  const { host } = new URL(settings.issuer);
  try {
    const found = await timed(() => openProvider(settings, Date.now).metadata());
    const {
      jwks_uri: keys,
      code_challenge_methods_supported: challenges,
      authorization_endpoint: door,
      token_endpoint: exchange,
    } = found.value;
    if (!keys || !door || !exchange) return fault(`${host}: its discovery document has no authorization, token, or keys URL`, CHECK_ISSUER);
    const told = await timed(() => countKeys(keys));
    const detail = `${host}: discovery ${milliseconds(found.ms)}, ${told.value} signing keys in ${milliseconds(told.ms)}`;
    if (told.value === 0) return fault(detail, "Without keys, ID tokens can't be verified. See the provider's status page.");
    return challenges && !challenges.includes('S256')
      ? warning(`${detail}, without PKCE S256`, "The provider doesn't list S256. Every sign-in uses it and might be rejected.")
      : ok(detail);
  } catch (error) {
    return isUnreachable(error)
      ? fault(
          `${host}: no response (${reasonOf(error)})`,
          'Check that this machine can connect to the provider (firewall, proxy). Admin keys still work.',
        )
      : fault(`${host}: ${reasonOf(error)}`, CHECK_ISSUER);
  }
}

const CHECK_ISSUER = 'Set admin.oidc.issuer to exactly the issuer in its /.well-known/openid-configuration.';

async function countKeys(address: string): Promise<number> {
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(KEYS_MS) });
  const { keys }: { readonly keys?: unknown } = Object(await answer.json());
  return Array.isArray(keys) ? keys.length : 0;
}

/** Returns null if the upstream uses configured keys. Rejects with the reason if no credential can be fetched. */
export async function fetchCredential(upstream: HttpUpstreamConfig): Promise<CredentialFacts | null> {
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
