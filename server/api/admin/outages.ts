/** Finds the models that are cooling down in any process, and the effect of their upstream's outage on calls. */
import type { OutageImpact } from '../../../contract/admin/upstreams.ts';
import type { Model } from '../../config/config.ts';
import { countOutageCalls } from '../../records/outage-calls.ts';
import { isCoolingDown, type OtherNode } from './node-report.ts';
import type { Operations } from './operations.ts';
import type { ServedModel, ServedModelState } from './running-gateway.ts';

export interface CoolingModel extends ServedModelState {
  /** Null for this process. */
  readonly process: string | null;
}

/** Lists each model once: with this process's state if it's cooling down here, otherwise with the first other process's. */
export function listCoolingModels({ gateway }: Pick<Operations, 'gateway'>, others: readonly OtherNode[]): readonly CoolingModel[] {
  const ownModels =
    gateway
      ?.places()
      .filter(isCoolingDown)
      .map((place) => ({ ...place, process: null })) ?? [];
  const reportedModels = others.flatMap(({ id, facts }) =>
    (facts?.upstreams ?? []).flatMap(({ name, places }) => places.map((place) => ({ ...place, upstream: name, process: id }))),
  );
  const models = new Map<string, CoolingModel>();
  for (const model of [...ownModels, ...reportedModels]) {
    const id = nameModel(model);
    if (!models.has(id)) models.set(id, model);
  }
  return [...models.values()];
}

const nameModel = ({ upstream, upstreamModel }: ServedModel): string => JSON.stringify([upstream, upstreamModel]);

/** Lists the models that fail now, because all their candidates are cooling down. */
export function listFailingModels(models: readonly Model[], coolingModels: readonly ServedModel[]): readonly Model[] {
  const cooling = new Set(coolingModels.map(nameModel));
  return models.filter(({ candidates }) => candidates.every((one) => cooling.has(nameModel(one))));
}

interface Outage {
  readonly upstream: string;
  /** Milliseconds since 1970. Undefined if that's unknown. */
  readonly since: number | undefined;
}

export async function readOutageImpact(
  { activity, config }: Pick<Operations, 'activity' | 'config'>,
  coolingModels: readonly CoolingModel[],
  { upstream, since }: Outage,
): Promise<OutageImpact> {
  const models = listFailingModels(config.models, coolingModels)
    .filter(({ candidates }) => candidates.some((one) => one.upstream === upstream))
    .map(({ id }) => id);
  return { failed_calls: since === undefined ? null : await countOutageCalls(activity.ask, { upstream, models, since }), models };
}
