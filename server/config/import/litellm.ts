/** Converts LiteLLM's `config.yaml` to modelgate.yaml. Deployments become candidates of models, and their providers upstreams. No price is guessed. */

import { formatDecimal, parseDecimal, toPerMillion } from './decimal.ts';
import { type Fields, toFields, toList, toPositiveInteger, toText } from './fields.ts';
import { type ImportedUpstream, ImportedUpstreams } from './imported-upstreams.ts';
import { cloudFields, findLitellmUpstream, skipEntry } from './litellm-upstream.ts';
import { type Imported, Remarks } from './remarks.ts';

interface Deployment {
  readonly name: string;
  readonly where: string;
  readonly params: Fields;
  readonly info: Fields;
  readonly place: ImportedUpstream;
  readonly model: string;
}

export function importLitellm(file: unknown): Imported {
  const remarks = new Remarks();
  const root = toFields(file);
  const upstreams = new ImportedUpstreams();
  const deployments = toList(root.model_list).flatMap(
    (entry, index) => toDeployment(toFields(entry), `model_list[${index}]`, remarks) ?? [],
  );
  if (deployments.length === 0) remarks.add('model_list', 'has no deployment that can be imported');
  const names = [...new Set(deployments.map(({ name }) => name))];
  const fallbacks = readFallbacks(root, names, remarks);
  const models = names.map((name) => toModel(name, deployments, { upstreams, fallbacks, remarks }));
  const routing = toRouting(toFields(root.router_settings), remarks);
  remarkSettings(root, remarks);
  const billing = remarks.turnOffBilling(models, 'costs');
  return { settings: { ...billing, ...routing, upstreams: upstreams.settings, models }, remarks: remarks.list };
}

function toDeployment(entry: Fields, where: string, remarks: Remarks): Deployment | null {
  const params = toFields(entry.litellm_params);
  const info = toFields(entry.model_info);
  const [name, fullModel] = [toText(entry.model_name), toText(params.model)];
  if (name === undefined || fullModel === undefined) return skipEntry(where, 'has no model_name or no litellm_params.model', remarks);
  if (name.includes('*') || fullModel.includes('*')) return skipEntry(where, 'is a pattern. List each model instead', remarks);
  const mode = toText(info.mode) ?? 'chat';
  if (!['chat', 'completion', 'responses', 'image_generation'].includes(mode))
    return skipEntry(where, `has the mode '${mode}', which isn't supported`, remarks);
  const upstreamModel = findLitellmUpstream({ full: fullModel, mode, params, where, remarks });
  return upstreamModel && { name, where, params, info, ...upstreamModel };
}

interface ImportContext {
  readonly upstreams: ImportedUpstreams;
  readonly fallbacks: ReadonlyMap<string, readonly string[]>;
  readonly remarks: Remarks;
}

function toModel(name: string, deployments: readonly Deployment[], { upstreams, fallbacks, remarks }: ImportContext): Fields {
  const ownDeployments = deployments.filter((one) => one.name === name);
  const toCandidate = ({ place: upstream, model, params }: Deployment, priority: number): Fields => {
    const weight = toPositiveInteger(params.weight);
    const order = (toPositiveInteger(params.order) ?? 1) + priority - 1;
    return {
      upstream: upstreams.getName(upstream),
      ...(model !== name && { upstreamModel: model }),
      ...(order > 1 && { priority: order }),
      ...(weight !== undefined && { weight }),
    };
  };
  const fallbackCandidates = (fallbacks.get(name) ?? []).flatMap((other, index) =>
    deployments.filter((one) => one.name === other).map((one) => ({ ...toCandidate(one, index + 2), upstreamModel: one.model })),
  );
  const candidates = [...ownDeployments.map((one) => toCandidate(one, 1)), ...fallbackCandidates];
  const [first] = ownDeployments;
  const isImage = ownDeployments.some(({ info }) => info.mode === 'image_generation');
  const maxOutputTokens = toPositiveInteger(first?.info.max_output_tokens);
  const prices = isImage ? undefined : toPrices(name, ownDeployments, remarks);
  const limits = toLimits(ownDeployments, remarks);
  for (const one of ownDeployments) remarkParams(one, remarks);
  return {
    id: name,
    kind: isImage ? 'image' : 'text',
    ...(isSimpleCandidate(candidates) ? candidates[0] : { candidates }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(prices && { prices }),
    ...(limits && { limits }),
  };
}

/** Whether there's a single candidate without a weight or priority, which the model itself can describe. */
const isSimpleCandidate = ([first, ...more]: readonly Fields[]): boolean =>
  first !== undefined && more.length === 0 && !('priority' in first) && !('weight' in first);

const costFields = [
  ['input', 'input_cost_per_token'],
  ['cachedInput', 'cache_read_input_token_cost'],
  ['cacheWrite', 'cache_creation_input_token_cost'],
  ['output', 'output_cost_per_token'],
] as const;

/** Returns prices only if the file has the same for every deployment. */
function toPrices(name: string, deployments: readonly Deployment[], remarks: Remarks): Fields | undefined {
  const deploymentPrices = deployments.map((one) => readPrices(one, remarks));
  const [first] = deploymentPrices;
  if (first === undefined) {
    if (deploymentPrices.some((prices) => prices !== undefined))
      remarks.add(name, "has costs for only some deployments. Set its 'prices' yourself");
    return undefined;
  }
  if (deploymentPrices.every((prices) => JSON.stringify(prices) === JSON.stringify(first))) return first;
  remarks.add(
    name,
    "has different costs per deployment, but a model has one price. Set its 'prices' yourself, and 'cost' for each candidate",
  );
  return undefined;
}

function readPrices({ params, info, where }: Deployment, remarks: Remarks): Fields | undefined {
  const prices: Record<string, string> = {};
  for (const [name, field] of costFields) {
    const value = params[field] ?? info[field];
    if (value === undefined || value === null) continue;
    const cost = parseDecimal(value);
    const dollars = cost && formatDecimal(toPerMillion(cost));
    if (dollars === undefined) remarks.add(`${where}.${field}`, 'needs more than six decimal places in dollars per million tokens');
    else prices[name] = dollars;
  }
  return 'input' in prices && 'output' in prices ? prices : undefined;
}

/** Returns the limits of a single deployment. Limits of one of several deployments aren't supported. */
function toLimits(deployments: readonly Deployment[], remarks: Remarks): Fields | undefined {
  const [deployment] = deployments;
  const [rpm, tpm] = [toPositiveInteger(deployment?.params.rpm), toPositiveInteger(deployment?.params.tpm)];
  if (deployment === undefined || (rpm === undefined && tpm === undefined)) return undefined;
  if (deployments.length > 1) {
    for (const { where } of deployments)
      remarks.add(`${where}.litellm_params`, 'rpm and tpm are supported only if the model has one deployment');
    return undefined;
  }
  return { ...(rpm !== undefined && { requestsPerMinute: rpm }), ...(tpm !== undefined && { tokensPerMinute: tpm }) };
}

const importedFields = new Set<string>([
  ...['model', 'api_base', 'base_url', 'api_key', 'custom_llm_provider', 'weight', 'order', 'rpm', 'tpm'],
  ...cloudFields,
  ...costFields.map(([, name]) => name),
]);

function remarkParams({ params, where }: Deployment, remarks: Remarks): void {
  for (const name of Object.keys(params))
    if (!importedFields.has(name)) remarks.add(`${where}.litellm_params.${name}`, "isn't supported by Modelgate");
}

/** Reads fallbacks such as `[{a: [b, c]}]` from `router_settings` or `litellm_settings`. */
function readFallbacks(root: Fields, names: readonly string[], remarks: Remarks): ReadonlyMap<string, readonly string[]> {
  const sections = ['router_settings', 'litellm_settings'] as const;
  const fallbacks = new Map<string, readonly string[]>();
  for (const section of sections)
    for (const entry of toList(toFields(root[section]).fallbacks))
      for (const [name, others] of Object.entries(toFields(entry))) {
        const knownModels = toList(others).filter((one): one is string => typeof one === 'string' && names.includes(one));
        if (!names.includes(name) || knownModels.length === 0)
          remarks.add(`${section}.fallbacks`, `for '${name}' contain no model from model_list`);
        else {
          fallbacks.set(name, knownModels);
          remarks.add(
            `${section}.fallbacks`,
            `for '${name}' became candidates with a lower priority. Callers pay the price of '${name}' for them, too`,
          );
        }
      }
  return fallbacks;
}

function toRouting(router: Fields, remarks: Remarks): Fields {
  const retries = typeof router.num_retries === 'number' ? router.num_retries : undefined;
  const failures = toPositiveInteger(router.allowed_fails);
  const cooldown = typeof router.cooldown_time === 'number' ? Math.round(router.cooldown_time * 1_000) : undefined;
  const breaker = {
    ...(failures !== undefined && { failures }),
    ...(cooldown !== undefined && cooldown >= 10 && { cooldownMs: cooldown }),
  };
  for (const name of Object.keys(router))
    if (!['num_retries', 'allowed_fails', 'cooldown_time', 'fallbacks'].includes(name) && router[name] !== 'simple-shuffle')
      remarks.add(`router_settings.${name}`, "isn't supported by Modelgate");
  const routing = {
    ...(retries !== undefined && { maxAttempts: Math.min(Math.max(retries + 1, 1), 10) }),
    ...(Object.keys(breaker).length > 0 && { breaker }),
  };
  return Object.keys(routing).length === 0 ? {} : { routing };
}

const settingRemarks: Readonly<Record<string, string>> = {
  master_key: "isn't copied. Create admin keys with `modelgate admin-key create`, and keys for callers with `modelgate key create`",
  database_url: "isn't copied. Keys and spend stay in it. Set DATABASE_URL to a new PostgreSQL database, or omit it for SQLite",
};

function remarkSettings(root: Fields, remarks: Remarks): void {
  for (const section of ['general_settings', 'litellm_settings'])
    for (const name of Object.keys(toFields(root[section])))
      if (name !== 'fallbacks') remarks.add(`${section}.${name}`, settingRemarks[name] ?? "isn't supported by Modelgate");
  for (const section of Object.keys(root))
    if (!['model_list', 'router_settings', 'general_settings', 'litellm_settings'].includes(section))
      remarks.add(section, "isn't supported by Modelgate");
}
