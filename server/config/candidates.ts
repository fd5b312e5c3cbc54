/** The candidates of each model in the configuration: completed with defaults, and checked against their upstreams. */
import { isInlineOnly } from './clouds/complete.ts';
import { type FieldRules, ofCompatible } from './fields-schema.ts';
import type { Prices } from './prices.ts';
import type { FileSettings } from './schema.ts';
import type { protocols } from './upstream-schema.ts';
import type { NamedUpstream } from './upstreams.ts';

export type Entry = NonNullable<FileSettings['models']>[number];
export type Protocol = (typeof protocols)[number];
type Quirks = Extract<NamedUpstream, { kind: 'openai-compatible' }>['quirks'];
type Upstreams = Readonly<Record<string, NamedUpstream>>;

/** One candidate of a model. */
export interface CandidateSettings {
  upstream: string;
  upstreamModel: string;
  protocols: Protocol[];
  priority: number;
  weight: number;
  /** What the vendor bills; undefined: that is not known. */
  cost?: Prices;
  quirks?: Quirks;
  /** Set where its place fetches no addresses of images and files. */
  inlineOnly?: true;
  /** Undefined when all fields are forwarded: to the simulator, and when the body is translated. */
  fields?: FieldRules;
}

/** A candidate as it is written, and its path in the entry. */
export interface WrittenPlace {
  readonly upstream: string | undefined;
  readonly upstreamModel: string | undefined;
  readonly protocols: readonly Protocol[] | undefined;
  readonly path: readonly (string | number)[];
}

export const protocolsOfKind: Readonly<Record<Entry['kind'], readonly Protocol[]>> = {
  text: ['chat', 'responses', 'anthropic', 'gemini', 'converse'],
  image: ['images'],
};

/** The candidates, or the entry itself when it has none. */
export function placesOf(entry: Entry): readonly WrittenPlace[] {
  const { candidates, upstream, upstreamModel, protocols } = entry;
  if (candidates === undefined) return [{ upstream, upstreamModel, protocols, path: [] }];
  return candidates.map((candidate, index) => ({
    upstream: candidate.upstream,
    upstreamModel: candidate.upstreamModel,
    protocols: candidate.protocols,
    path: ['candidates', index],
  }));
}

/** In the order of their priority. */
export function completeCandidates(entry: Entry, upstreams: Upstreams): CandidateSettings[] {
  const { id, kind, candidates, upstream, upstreamModel, protocols } = entry;
  const first = Object.keys(upstreams)[0] ?? '';
  const alone = { upstream: upstream ?? first, upstreamModel, protocols, priority: 1, weight: 1 };
  return (candidates ?? [alone])
    .toSorted((one, other) => one.priority - other.priority)
    .map((written) => {
      const place = upstreams[written.upstream];
      const served: readonly Protocol[] = place?.protocols ?? [];
      return {
        upstream: written.upstream,
        upstreamModel: written.upstreamModel ?? id,
        protocols: written.protocols ?? protocolsOfKind[kind].filter((protocol) => served.includes(protocol)),
        priority: written.priority,
        weight: written.weight,
        ...('cost' in written && written.cost !== undefined && { cost: written.cost }),
        ...(place?.kind === 'openai-compatible' && { quirks: place.quirks }),
        ...(place && isInlineOnly(place) && { inlineOnly: true as const }),
        ...fieldsOf(place),
      };
    });
}

function fieldsOf(place: NamedUpstream | undefined): Pick<CandidateSettings, 'fields'> {
  if (place?.kind === 'openai') return { fields: { ...place.fields, isOpen: true } };
  // The simulator has no use for fields that no operation knows, so they are named as ignored, as with a vendor.
  if (place?.kind === 'simulator') return { fields: { allow: [], deny: [] } };
  if (place?.kind !== 'openai-compatible') return {};
  const { allow, deny } = place.fields;
  return { fields: { allow: [...ofCompatible, ...allow], deny } };
}
