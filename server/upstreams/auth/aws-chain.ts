/** AWS's default credential chain: environment, profile, single sign-on, web identity, container, instance. The library is loaded by the first request that needs it. */
import type { KeyProvider } from './aws.ts';

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
