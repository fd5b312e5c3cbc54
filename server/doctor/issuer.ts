/** The check of single sign-on by `modelgate doctor`: the provider's discovery document and its keys, both public. Nobody signs in, nothing is paid. */
import { openProvider, type ProviderSettings } from '../sessions/oidc-provider.ts';
import { isUnreachable } from '../sessions/oidc-refusals.ts';
import { fault, milliseconds, ok, reasonOf, timed, type Verdict, warning } from './finding.ts';

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
    if (!keys || !door || !exchange) return fault(`${host}: its document has no address for browsers, codes or keys`, CHECK_ISSUER);
    const told = await timed(() => countKeys(keys));
    const detail = `${host}: discovery ${milliseconds(found.ms)}, ${told.value} signing keys in ${milliseconds(told.ms)}`;
    if (told.value === 0) return fault(detail, 'No ID token can be checked: see the status page of the provider.');
    return challenges && !challenges.includes('S256')
      ? warning(`${detail}, without PKCE S256`, 'The provider does not name S256: each sign-in asks for it, and may be refused.')
      : ok(detail);
  } catch (error) {
    return isUnreachable(error)
      ? fault(
          `${host}: no answer (${reasonOf(error)})`,
          'May this machine connect to the provider (firewall, proxy)? Admin keys go on working.',
        )
      : fault(`${host}: ${reasonOf(error)}`, CHECK_ISSUER);
  }
}

const CHECK_ISSUER = 'admin.oidc.issuer must be, letter by letter, the issuer of its /.well-known/openid-configuration.';

async function countKeys(address: string): Promise<number> {
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(KEYS_MS) });
  const { keys }: { readonly keys?: unknown } = Object(await answer.json());
  return Array.isArray(keys) ? keys.length : 0;
}
