/** Reads the models that a key can call, and chooses one for the tool. */
import { z } from 'zod';
import { Model } from '../../contract/models.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { ConnectError, type GatewayCall, type GatewayResponse, parseBody } from './gateway-calls.ts';
import { type ToolModel, type ToolModels, toToolModels } from './recipes/recipe.ts';

const ModelListBody = z.object({ data: z.array(Model) });

export interface KeyModels extends ToolModels {
  /** IDs of models that the built-in simulator serves. */
  readonly simulated: readonly string[];
}

/** Returns the models that the key can call. `source` says where the key comes from, for the message of a 401. */
export async function fetchModels(call: GatewayCall, source: string): Promise<KeyModels> {
  const response = await call('/models');
  if (response.status === 401) throw new ConnectError(`${describeRejection(response)} The key came from ${source}.`);
  if (response.status !== 200) throw new ConnectError(describeRejection(response));
  const parsedList = ModelListBody.safeParse(parseBody(response));
  if (!parsedList.success) throw new ConnectError(describeUnknownList(response));
  const { data } = parsedList.data;
  return {
    ...toToolModels(data.map((model) => ({ ...model, abilities: model.capabilities }))),
    simulated: data.filter(({ owned_by: owner }) => owner === 'simulator').map(({ id }) => id),
  };
}

/** Only the gateway lists the capabilities of models. Request IDs alone don't identify it, because other servers send them, too. */
const OwnList = z.object({ data: z.tuple([z.object({ capabilities: z.looseObject({}) })], z.unknown()) });

function describeUnknownList(response: GatewayResponse): string {
  return OwnList.safeParse(parseBody(response)).success
    ? `The model list of ${response.baseUrl} has a format that this version of modelgate doesn't support. Update modelgate.`
    : `${response.baseUrl} isn't a Modelgate gateway: its model list doesn't show what the models can do. Check the address.`;
}

export function describeRejection(response: GatewayResponse): string {
  const body = ErrorBody.safeParse(parseBody(response));
  if (!body.success) return `The gateway at ${response.baseUrl} returned status ${response.status}.`;
  const { code, message } = body.data.error;
  return `The gateway at ${response.baseUrl} rejected the call (${response.status} ${code}): ${message}`;
}

/** Returns the requested model, or else the first that supports tools. */
export function chooseModel({ models }: KeyModels, requested: string | undefined): ToolModel {
  const model = requested === undefined ? (models.find(({ tools }) => tools) ?? models[0]) : models.find(({ id }) => id === requested);
  if (model) return model;
  if (models.length === 0) throw new ConnectError("This key can't call any text model. Ask your gateway administrator for one.");
  throw new ConnectError(`This key can't call '${requested}'. It can call ${models.map(({ id }) => id).join(', ')}.`);
}
