/** Checks that the OpenID Connect issuer responds and has keys. */
import { isUnreachable, openProvider, type ProviderSettings } from '../../access/sessions/oidc.ts';
import { type CheckResult, formatMilliseconds, getReason, measureTime, reportFault, reportOk, reportWarning } from './check-result.ts';

const KEYS_TIMEOUT_MS = 5_000;

export async function examineIssuer(settings: ProviderSettings): Promise<CheckResult> {
  const { host } = new URL(settings.issuer);
  try {
    const discovery = await measureTime(() => openProvider(settings, Date.now).getMetadata());
    const {
      jwks_uri: keysUrl,
      code_challenge_methods_supported: challenges,
      authorization_endpoint: authorizationUrl,
      token_endpoint: tokenUrl,
    } = discovery.value;
    if (!keysUrl || !authorizationUrl || !tokenUrl)
      return reportFault(`${host}: its discovery document has no authorization, token, or keys URL`, CHECK_ISSUER);
    const keyCount = await measureTime(() => countKeys(keysUrl));
    const detail = `${host}: discovery ${formatMilliseconds(discovery.ms)}, ${keyCount.value} signing keys in ${formatMilliseconds(keyCount.ms)}`;
    if (keyCount.value === 0) return reportFault(detail, "Without keys, ID tokens can't be verified. See the provider's status page.");
    return challenges && !challenges.includes('S256')
      ? reportWarning(`${detail}, without PKCE S256`, "The provider doesn't list S256. Every sign-in uses it and might be rejected.")
      : reportOk(detail);
  } catch (error) {
    return isUnreachable(error)
      ? reportFault(
          `${host}: no response (${getReason(error)})`,
          'Check that this machine can connect to the provider (firewall, proxy). Admin keys still work.',
        )
      : reportFault(`${host}: ${getReason(error)}`, CHECK_ISSUER);
  }
}

const CHECK_ISSUER = 'Set admin.oidc.issuer to exactly the issuer in its /.well-known/openid-configuration.';

async function countKeys(url: string): Promise<number> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(KEYS_TIMEOUT_MS) });
  const { keys }: { readonly keys?: unknown } = Object(await response.json());
  return Array.isArray(keys) ? keys.length : 0;
}
