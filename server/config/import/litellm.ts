/** Converts LiteLLM's `config.yaml` to modelgate.yaml. Deployments become candidates of models, and their providers upstreams. No price is guessed. */

import { parse, stringify } from 'yaml';
import { cloudFields, placeOf, skip } from './litellm-places.ts';
import { importNewApi } from './new-api.ts';
import {
  type Fields,
  fieldsOf,
  type Imported,
  listOf,
  ofMillion,
  type Place,
  Remarks,
  readDecimal,
  textOf,
  Upstreams,
  wholeOf,
  writeDecimal,
} from './write.ts';

interface Deployment {
  readonly name: string;
  readonly where: string;
  readonly params: Fields;
  readonly info: Fields;
  readonly place: Place;
  readonly model: string;
}

function importLitellm(file: unknown): Imported {
  const remarks = new Remarks();
  const root = fieldsOf(file);
  const upstreams = new Upstreams();
  const deployments = listOf(root.model_list).flatMap(
    (entry, index) => deploymentOf(fieldsOf(entry), `model_list[${index}]`, remarks) ?? [],
  );
  if (deployments.length === 0) remarks.add('model_list', 'has no deployment that can be imported');
  const names = [...new Set(deployments.map(({ name }) => name))];
  const fallbacks = fallbacksIn(root, names, remarks);
  const models = names.map((name) => modelOf(name, deployments, { upstreams, fallbacks, remarks }));
  const routing = routingOf(fieldsOf(root.router_settings), remarks);
  remarkOthers(root, remarks);
  const unpriced = models.filter((model) => !('prices' in model)).map(({ id }) => String(id));
  if (unpriced.length > 0)
    remarks.add(
      'billing',
      `is 'off' because the file has no costs for ${unpriced.join(', ')}. To charge for calls, add their prices and remove 'billing'`,
    );
  return {
    settings: { ...(unpriced.length > 0 && { billing: 'off' }), ...routing, upstreams: upstreams.settings, models },
    remarks: remarks.list,
  };
}

function deploymentOf(entry: Fields, where: string, remarks: Remarks): Deployment | null {
  const params = fieldsOf(entry.litellm_params);
  const info = fieldsOf(entry.model_info);
  const [name, full] = [textOf(entry.model_name), textOf(params.model)];
  if (name === undefined || full === undefined) return skip(where, 'has no model_name or no litellm_params.model', remarks);
  if (name.includes('*') || full.includes('*')) return skip(where, 'is a pattern. List each model instead', remarks);
  const mode = textOf(info.mode) ?? 'chat';
  if (!['chat', 'completion', 'responses', 'image_generation'].includes(mode))
    return skip(where, `has the mode '${mode}', which isn't supported`, remarks);
  const found = placeOf({ full, mode, params, where, remarks });
  return found && { name, where, params, info, ...found };
}

interface Parts {
  readonly upstreams: Upstreams;
  readonly fallbacks: ReadonlyMap<string, readonly string[]>;
  readonly remarks: Remarks;
}

function modelOf(name: string, all: readonly Deployment[], { upstreams, fallbacks, remarks }: Parts): Fields {
  const own = all.filter((one) => one.name === name);
  const candidateOf = ({ place, model, params }: Deployment, priority: number): Fields => {
    const weight = wholeOf(params.weight);
    const order = (wholeOf(params.order) ?? 1) + priority - 1;
    return {
      upstream: upstreams.nameOf(place),
      ...(model !== name && { upstreamModel: model }),
      ...(order > 1 && { priority: order }),
      ...(weight !== undefined && { weight }),
    };
  };
  const spare = (fallbacks.get(name) ?? []).flatMap((other, index) =>
    all.filter((one) => one.name === other).map((one) => ({ ...candidateOf(one, index + 2), upstreamModel: one.model })),
  );
  const candidates = [...own.map((one) => candidateOf(one, 1)), ...spare];
  const [first] = own;
  const isImage = own.some(({ info }) => info.mode === 'image_generation');
  const output = wholeOf(first?.info.max_output_tokens);
  const prices = isImage ? undefined : pricesOf(name, own, remarks);
  const limits = limitsOf(own, remarks);
  for (const one of own) remarkParams(one, remarks);
  return {
    id: name,
    kind: isImage ? 'image' : 'text',
    ...(isPlain(candidates) ? candidates[0] : { candidates }),
    ...(output !== undefined && { maxOutputTokens: output }),
    ...(prices && { prices }),
    ...(limits && { limits }),
  };
}

/** Whether there's a single candidate without a weight or priority, which the model itself can describe. */
const isPlain = ([first, ...more]: readonly Fields[]): boolean =>
  first !== undefined && more.length === 0 && !('priority' in first) && !('weight' in first);

const costFields = [
  ['input', 'input_cost_per_token'],
  ['cachedInput', 'cache_read_input_token_cost'],
  ['cacheWrite', 'cache_creation_input_token_cost'],
  ['output', 'output_cost_per_token'],
] as const;

/** Returns prices only if the file has the same for every deployment. */
function pricesOf(name: string, deployments: readonly Deployment[], remarks: Remarks): Fields | undefined {
  const told = deployments.map((one) => pricesAt(one, remarks));
  const [first] = told;
  if (first === undefined) {
    if (told.some((prices) => prices !== undefined)) remarks.add(name, "has costs for only some deployments. Set its 'prices' yourself");
    return undefined;
  }
  if (told.every((prices) => JSON.stringify(prices) === JSON.stringify(first))) return first;
  remarks.add(
    name,
    "has different costs per deployment, but a model has one price. Set its 'prices' yourself, and 'cost' for each candidate",
  );
  return undefined;
}

function pricesAt({ params, info, where }: Deployment, remarks: Remarks): Fields | undefined {
  const prices: Record<string, string> = {};
  for (const [ours, theirs] of costFields) {
    const given = params[theirs] ?? info[theirs];
    if (given === undefined || given === null) continue;
    const cost = readDecimal(given);
    const written = cost && writeDecimal(ofMillion(cost));
    if (written === undefined) remarks.add(`${where}.${theirs}`, 'needs more than six decimal places in dollars per million tokens');
    else prices[ours] = written;
  }
  return 'input' in prices && 'output' in prices ? prices : undefined;
}

/** Returns the limits of a single deployment. Limits of one of several deployments aren't supported. */
function limitsOf(deployments: readonly Deployment[], remarks: Remarks): Fields | undefined {
  const [only] = deployments;
  const [rpm, tpm] = [wholeOf(only?.params.rpm), wholeOf(only?.params.tpm)];
  if (only === undefined || (rpm === undefined && tpm === undefined)) return undefined;
  if (deployments.length > 1) {
    for (const { where } of deployments)
      remarks.add(`${where}.litellm_params`, 'rpm and tpm are supported only if the model has one deployment');
    return undefined;
  }
  return { ...(rpm !== undefined && { requestsPerMinute: rpm }), ...(tpm !== undefined && { tokensPerMinute: tpm }) };
}

const taken = new Set<string>([
  ...['model', 'api_base', 'base_url', 'api_key', 'custom_llm_provider', 'weight', 'order', 'rpm', 'tpm'],
  ...cloudFields,
  ...costFields.map(([, name]) => name),
]);

function remarkParams({ params, where }: Deployment, remarks: Remarks): void {
  for (const name of Object.keys(params))
    if (!taken.has(name)) remarks.add(`${where}.litellm_params.${name}`, "isn't supported by Modelgate");
}

/** Reads fallbacks such as `[{a: [b, c]}]` from `router_settings` or `litellm_settings`. */
function fallbacksIn(root: Fields, names: readonly string[], remarks: Remarks): ReadonlyMap<string, readonly string[]> {
  const places = ['router_settings', 'litellm_settings'] as const;
  const found = new Map<string, readonly string[]>();
  for (const place of places)
    for (const entry of listOf(fieldsOf(root[place]).fallbacks))
      for (const [name, others] of Object.entries(fieldsOf(entry))) {
        const known = listOf(others).filter((one): one is string => typeof one === 'string' && names.includes(one));
        if (!names.includes(name) || known.length === 0)
          remarks.add(`${place}.fallbacks`, `for '${name}' contain no model from model_list`);
        else {
          found.set(name, known);
          remarks.add(
            `${place}.fallbacks`,
            `for '${name}' became candidates with a lower priority. Callers pay the price of '${name}' for them, too`,
          );
        }
      }
  return found;
}

function routingOf(router: Fields, remarks: Remarks): Fields {
  const retries = typeof router.num_retries === 'number' ? router.num_retries : undefined;
  const fails = wholeOf(router.allowed_fails);
  const cooldown = typeof router.cooldown_time === 'number' ? Math.round(router.cooldown_time * 1_000) : undefined;
  const breaker = {
    ...(fails !== undefined && { failures: fails }),
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

const others: Readonly<Record<string, string>> = {
  master_key: "isn't copied. Create admin keys with `modelgate admin-key create`, and keys for callers with `modelgate key create`",
  database_url: "isn't copied. Keys and spend stay in it. Set DATABASE_URL to a new PostgreSQL database, or omit it for SQLite",
};

function remarkOthers(root: Fields, remarks: Remarks): void {
  for (const section of ['general_settings', 'litellm_settings'])
    for (const name of Object.keys(fieldsOf(root[section])))
      if (name !== 'fallbacks') remarks.add(`${section}.${name}`, others[name] ?? "isn't supported by Modelgate");
  for (const section of Object.keys(root))
    if (!['model_list', 'router_settings', 'general_settings', 'litellm_settings'].includes(section))
      remarks.add(section, "isn't supported by Modelgate");
}

const importers = { litellm: importLitellm, 'new-api': importNewApi } as const satisfies Readonly<
  Record<string, (file: unknown) => Imported>
>;
export type Importer = keyof typeof importers;

/** Throws a SyntaxError with a readable message if the text is neither YAML nor JSON. */
export function importText(from: Importer, text: string, options?: string): Imported {
  const file = parseText(text);
  const more = options === undefined ? undefined : parseText(options);
  if (more === undefined) return importers[from](file);
  const channels = Array.isArray(file) ? { channels: file } : fieldsOf(file);
  return importers[from]({ ...channels, options: fieldsOf(more).data ?? more });
}

function parseText(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch (error) {
    // The first line contains the position. The others quote the file, which can contain keys.
    throw new SyntaxError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : "it can't be read");
  }
}

export const writeImported = ({ settings }: Imported, from: Importer): string =>
  `# Written by \`modelgate config import ${from}\`. Keys are environment variables.\n${stringify(settings, { lineWidth: 0 })}`;
