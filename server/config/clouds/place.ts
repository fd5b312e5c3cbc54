/** What each cloud says of its upstreams: the address, the usual way to authenticate, and which settings it refuses. */
import type { Path, Problem } from '../problems.ts';
import type { FileSettings } from '../schema.ts';
import type { AuthSettings } from './auth-schema.ts';

/** An upstream over HTTP as the file has it. */
export type HttpSettings = Exclude<FileSettings['upstreams'][string], { kind: 'simulator' }>;

/** A mistake in an upstream, at a path within it. */
export interface Fault extends Pick<Problem, 'message' | 'remedy'> {
  readonly path: Path;
}

export const placeNames = ['azure', 'aws', 'google'] as const;
export type PlaceName = (typeof placeNames)[number];

/** What tells the place of an upstream. */
export type Placed = Pick<HttpSettings, 'kind' | PlaceName>;

/** One cloud. Its functions get upstreams that have its part. */
export interface Place {
  /** The kinds of upstream that it serves. */
  readonly kinds: readonly HttpSettings['kind'][];
  /** The address before the operation, without a slash at its end. */
  address(upstream: HttpSettings): string;
  /** `baseUrl` of the file as this place needs it. Absent: as the kind has it. */
  ownAddress?(upstream: HttpSettings): string | undefined;
  /** How requests prove themselves where `auth` is left out; undefined: as the kind does, with its key. */
  auth(upstream: HttpSettings): AuthSettings | undefined;
  faults(upstream: HttpSettings): readonly Fault[];
  /** Whether its models fetch no addresses of images and files. Absent: they do. */
  inlineOnly?(upstream: Placed): boolean;
  /** What is wrong with a model there. */
  model?(upstream: Placed, upstreamModel: string): Omit<Fault, 'path'> | null;
  /** Where it lists its models for free, after the address; null: nowhere. Absent: `/models`. */
  models?(upstream: Placed): string | null;
}

export const hasKeys = ({ apiKey, apiKeys }: HttpSettings): boolean => apiKey !== undefined || apiKeys !== undefined;
