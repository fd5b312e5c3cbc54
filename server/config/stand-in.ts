/** What replaces every upstream of a configuration: a simulator, or recorded calls. No vendor is called, so no vendor's key is needed. */
import type { Problem } from './problems.ts';

export interface StandIn {
  /** Name of the only upstream. */
  readonly name: 'simulator' | 'replay';
  readonly seed?: string | undefined;
  /** An ISO time. */
  readonly clock?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The configuration with that as its only upstream; for callers the models stay the same. */
export function withStandIn(value: unknown, { name, seed, clock }: StandIn): unknown {
  if (!isFields(value)) return value;
  const { upstreams, models, server, ...rest } = value;
  const fixed = { ...(seed !== undefined && { seed }), ...(clock !== undefined && { clock }) };
  return {
    ...rest,
    ...unhurried(server),
    upstreams: { [name]: { ...simulatorIn(upstreams), ...fixed } },
    ...(models !== undefined && { models: Array.isArray(models) ? models.map(withoutPlaces) : models }),
  };
}

/** A machine that runs tests is busy, so a mock does not shed load unless the file says so. */
function unhurried(server: unknown): Fields {
  // The schema reports a value that is not a section.
  if (server !== undefined && !isFields(server)) return { server };
  const shed = server?.shed;
  return { server: { ...server, shed: shed === undefined || isFields(shed) ? { loopDelayMs: 0, ...shed } : shed } };
}

/** The delays that the file sets for its simulator still apply. */
function simulatorIn(upstreams: unknown): Fields {
  const found = isFields(upstreams)
    ? Object.values(upstreams).find((upstream) => isFields(upstream) && upstream.kind === 'simulator')
    : null;
  const { protocols: _, ...settings } = isFields(found) ? found : { kind: 'simulator', protocols: undefined };
  return settings;
}

function withoutPlaces(model: unknown): unknown {
  if (!isFields(model)) return model;
  const { upstream: _, upstreamModel: __, protocols: ___, candidates: ____, ...rest } = model;
  return rest;
}

/** A missing key of a vendor does not matter here. */
export const withoutUpstreams = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ key }) => key !== 'upstreams' && !key.startsWith('upstreams.'));
