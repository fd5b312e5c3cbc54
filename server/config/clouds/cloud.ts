/** Defines a cloud: the settings that it needs, and the base URL and authentication that follow from them. */

import type { AuthSettings } from '../auth-settings.ts';
import type { Path, Problem } from '../config-error.ts';
import type { FileSettings } from '../schema.ts';

/** An upstream with its address. */
export type ResolvedHttpSettings = HttpSettings & { readonly baseUrl: string };

/** An HTTP upstream as written in the file. */
export type HttpSettings = Exclude<FileSettings['upstreams'][string], { kind: 'simulator' }>;

/** A mistake in an upstream, at a path within it. */
export interface Fault extends Pick<Problem, 'message' | 'remedy'> {
  readonly path: Path;
}

export const cloudNames = ['azure', 'aws', 'google'] as const;

export type CloudName = (typeof cloudNames)[number];

/** The settings that identify the cloud of an upstream. */
export type CloudSettings = Pick<HttpSettings, 'kind' | CloudName>;

/** One cloud. Its functions are called only for upstreams that configure this cloud. */
export interface Cloud {
  /** The kinds of upstream that it serves. */
  readonly kinds: readonly HttpSettings['kind'][];
  /** Base URL of the operations, without a trailing slash. */
  address(upstream: HttpSettings): string;
  /** Adapts the file's `baseUrl` to this cloud. Omitted if the URL is used unchanged. */
  ownAddress?(upstream: HttpSettings): string | undefined;
  /** Returns the authentication if `auth` is omitted. Undefined to send the key as usual for the kind. */
  auth(upstream: HttpSettings): AuthSettings | undefined;
  faults(upstream: HttpSettings): readonly Fault[];
  /** Whether images and files must be inline, because models don't fetch URLs. Omitted if they do. */
  inlineOnly?(upstream: CloudSettings): boolean;
  /** Returns why this cloud can't serve a model, or null. */
  model?(upstream: CloudSettings, upstreamModel: string): Omit<Fault, 'path'> | null;
  /** Path of the free model list. Null if the cloud has none. Defaults to `/models`. */
  models?(upstream: CloudSettings): string | null;
}

export const hasKeys = ({ apiKey, apiKeys }: HttpSettings): boolean => apiKey !== undefined || apiKeys !== undefined;
