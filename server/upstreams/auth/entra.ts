/** Access tokens of Microsoft Entra, for Azure: with a client secret, a workload identity, or the managed identity of the machine. */
import { Agent, request } from 'undici';
import type { AuthOf } from '../../config/clouds/auth-schema.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { collectStart } from '../read-body.ts';
import { claimsIn, type EntraToken, readToken } from './entra-answer.ts';
import { type Environment, sourceOf, tokenOrder } from './entra-order.ts';
import type { FetchedCredential } from './openers.ts';
import { type FetchToken, type TellRenewal, TokenKeeper } from './token-keeper.ts';

const MOST_BYTES = 64 * 1024;
const FETCH_MS = 5_000;
/** Clock difference that is reported. Clocks that are set by a time server differ less. */
const SKEW_MS = 240_000;

export function openEntra({ auth }: HttpUpstreamConfig, env: Environment = process.env, tell?: TellRenewal): FetchedCredential {
  if (auth?.type !== 'entra') throw new TypeError('an upstream without auth of the type entra');
  const agent = new Agent({ connections: 1, connect: { timeout: FETCH_MS } });
  const fetchToken = async (signal: AbortSignal): Promise<EntraToken> => {
    const { url, ...order } = await tokenOrder(auth, env);
    const { statusCode, body } = await request(url, { ...order, signal, dispatcher: agent });
    return readToken(statusCode, await collectStart(body, MOST_BYTES), Date.now());
  };
  const next: FetchToken = async (signal) => {
    const { accessToken, endsAt } = await fetchToken(signal);
    return { lines: ['authorization', `Bearer ${accessToken}`], endsAt };
  };
  const keeper = new TokenKeeper(next, tell && { tell });
  return {
    lines: () => keeper.lines(),
    // A missing role is 401, too, so a new token is replaced at most once a minute.
    renew: ({ status }, lines) => status === 401 && keeper.replace(lines),
    // The upstream has only this credential, so a failure does not make it rest.
    note: () => {},
    describe: async () => describeToken(auth, env, await fetchToken(AbortSignal.timeout(FETCH_MS))),
    close: () => agent.close(),
  };
}

function describeToken(auth: AuthOf<'entra'>, env: Environment, { accessToken, endsAt }: EntraToken) {
  const { aud, tid, appid, azp, exp } = claimsIn(accessToken);
  const facts = { tenant: tid ?? auth.tenantId, client: appid ?? azp ?? auth.clientId, audience: aud };
  const told = Object.entries(facts).flatMap(([name, value]) => (typeof value === 'string' ? [`${name} ${value}`] : []));
  const skewMs = typeof exp === 'number' ? exp * 1_000 - endsAt : 0;
  return {
    headers: { authorization: `Bearer ${accessToken}` },
    facts: [`token by ${sourceOf(auth, env)}`, ...told, `until ${new Date(endsAt).toISOString()}`],
    ...(Math.abs(skewMs) > SKEW_MS && { skewMs }),
  };
}
