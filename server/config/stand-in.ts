/** What stands in for every upstream of a configuration: a simulator, or recorded calls. No vendor is asked, so none has to be configured. */
import type { Problem } from './problems.ts';

export interface StandIn {
  /** Of the one upstream that is left. */
  readonly name: 'simulator' | 'replay';
  readonly seed?: string | undefined;
  /** An ISO time. */
  readonly clock?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The file as if it named nothing but that; the models stay what they are for callers. */
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

/** The machine that runs somebody's tests is busy with them: a mock refuses nobody for that, unless the file says so. */
function unhurried(server: unknown): Fields {
  // What is no section is told by the schema.
  if (server !== undefined && !isFields(server)) return { server };
  const shed = server?.shed;
  return { server: { ...server, shed: shed === undefined || isFields(shed) ? { loopDelayMs: 0, ...shed } : shed } };
}

/** How slow the file wants its simulator to be still holds. */
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

/** A vendor's key that is missing is missed by nobody. */
export const withoutUpstreams = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ key }) => key !== 'upstreams' && !key.startsWith('upstreams.'));
