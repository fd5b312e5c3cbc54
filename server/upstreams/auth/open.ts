/** The credentials of an upstream: those of its keys, or the one that its `auth` fetches or signs with. */

import { keyHeadersOf } from '../../config/clouds/key-headers.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type Credentials, openCredentials } from '../credentials.ts';
import type { KeyState } from '../upstream.ts';
import type { AuthOpeners, FetchedCredential } from './openers.ts';

export interface OpenAuth {
  /** The keys of the configuration, in its order. */
  readonly keys: readonly string[];
  readonly credentials: Credentials;
  close(): Promise<void>;
}

const ofKeys = new Set(['none', 'bearer', 'header']);

export function openAuth(config: HttpUpstreamConfig, openers: AuthOpeners): OpenAuth {
  const { auth } = config;
  if (auth === undefined || ofKeys.has(auth.type)) {
    const keys = config.apiKeys ?? (config.apiKey === undefined ? [] : [config.apiKey]);
    const lines = keys.map((key) => Object.entries(keyHeadersOf(config, key)).flat());
    return { keys, credentials: openCredentials(lines), close: async () => {} };
  }
  const open = openers[auth.type];
  if (!open) throw new TypeError(`nothing was loaded for auth of the type ${auth.type}`);
  const one = open(config);
  return { keys: [], credentials: ofOne(one), close: () => one.close() };
}

const ready: KeyState = { state: 'ready', restMs: 0 };

const ofOne = (one: FetchedCredential): Credentials => ({
  pick: () => one,
  hasReady: () => false,
  states: () => [ready],
  wake: () => 0,
});
