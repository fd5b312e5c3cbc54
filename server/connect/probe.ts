/** Looks at a gateway with a key, as a tool would, and recognizes the four usual mistakes: no `/v1`, a variable that wins, a model that the key can't call, a proxy in between. */
import { EnvHttpProxyAgent, fetch as proxiedFetch } from 'undici';
import { z } from 'zod';
import { type Recipe, type ToolModel, type ToolModels, toolModelsOf } from '../../client/connect/recipe.ts';
import { Model } from '../../contract/models.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { type Answer, askTarget } from '../verify/check.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The connection can't work; the message says why and what to do. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

/** The base URL that clients need: it ends in `/v1`, whatever part of an address was pasted. */
export function toBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConnectError(`The base URL must look like https://host/v1. Got '${text}'.`);
  if (url.username !== '') throw new ConnectError("The base URL can't contain a user name. Specify the key with --key.");
  const path = url.pathname.replace(/\/v1(\/.*)?$/i, '').replace(/\/+$/, '');
  return `${url.origin}${path}/v1`;
}

export interface Place {
  readonly baseUrl: string;
  readonly key: string;
  readonly env: Env;
}

export type Call = (path: string, body?: object) => Promise<Answer>;

const TIMEOUT_MS = 120_000;

/** Calls as most tools do, by the proxies of the environment. */
export function openCalls({ baseUrl, key, env }: Place): Call {
  const proxies = { httpProxy: proxyOf(env, 'http'), httpsProxy: proxyOf(env, 'https'), noProxy: env.NO_PROXY ?? env.no_proxy ?? '' };
  const dispatcher = new EnvHttpProxyAgent(proxies);
  const send = (url: string, init: Parameters<typeof proxiedFetch>[1]) => proxiedFetch(url, { ...init, dispatcher });
  // `as`: it is the same fetch, and the types of the library are not those of Node.
  const target = { baseUrl, key, timeoutMs: TIMEOUT_MS, fetch: send as unknown as typeof fetch };
  return async (path, json) => {
    const answer = await askTarget(target, path, { json }).catch((error: unknown) => {
      throw new ConnectError(
        `Can't reach ${baseUrl}: ${causeOf(error)}.${proxyHint(baseUrl, env)} Check the address, and whether the gateway is running.`,
      );
    });
    if (!isFromGateway(answer)) throw new ConnectError(`${describeStranger(`${baseUrl}${path}`, answer)}${proxyHint(baseUrl, env)}`);
    return answer;
  };
}

/** Null if the body isn't JSON. */
function bodyOf(answer: Answer): unknown {
  try {
    return answer.json();
  } catch {
    return null;
  }
}

const proxyOf = (env: Env, scheme: 'http' | 'https'): string => env[`${scheme.toUpperCase()}_PROXY`] ?? env[`${scheme}_proxy`] ?? '';

const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || causeOf(error.cause) : error.message;
};

/** Every response of the gateway has a request ID of its form. */
const isFromGateway = ({ headers }: Answer): boolean => /^req_[0-9a-f]{32}$/.test(headers.get('x-request-id') ?? '');

function describeStranger(url: string, { status, headers }: Answer): string {
  const facts = [`status ${status}`, headers.get('content-type'), headers.get('server')].filter((fact) => fact !== null).join(', ');
  return `Something other than the gateway responded at ${url} (${facts}). Check the address, and whether a proxy in between responds instead.`;
}

function proxyHint(baseUrl: string, env: Env): string {
  const { hostname, protocol } = new URL(baseUrl);
  const name = [`${protocol.slice(0, -1).toUpperCase()}_PROXY`, `${protocol.slice(0, -1)}_proxy`].find((variable) => env[variable]);
  if (name === undefined || isExempt(hostname, env.NO_PROXY ?? env.no_proxy ?? '')) return '';
  // It may contain a password.
  const proxy = URL.canParse(env[name] ?? '') ? new URL(env[name] ?? '').host : 'a proxy';
  return ` ${name} is set, so calls go through ${proxy}: if it can't reach the gateway, add ${hostname} to NO_PROXY.`;
}

const isExempt = (hostname: string, list: string): boolean =>
  list.split(/[\s,]+/).some((entry) => {
    const domain = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
    return entry === '*' || (domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`)));
  });

const Listed = z.object({ data: z.array(Model) });

export interface KeyModels extends ToolModels {
  /** IDs of models that the built-in simulator serves. */
  readonly simulated: readonly string[];
}

/** What the key can call. `source`: where the key comes from, for the message of a 401. */
export async function readModels(call: Call, source: string): Promise<KeyModels> {
  const answer = await call('/models');
  if (answer.status === 401) throw new ConnectError(`${describeRejection(answer)} The key came from ${source}.`);
  if (answer.status !== 200) throw new ConnectError(describeRejection(answer));
  const listed = Listed.safeParse(bodyOf(answer));
  if (!listed.success)
    throw new ConnectError("The gateway's model list has a format that this version of modelgate doesn't support. Update modelgate.");
  const { data } = listed.data;
  return {
    ...toolModelsOf(data.map((model) => ({ ...model, abilities: model.capabilities }))),
    simulated: data.filter(({ owned_by: owner }) => owner === 'simulator').map(({ id }) => id),
  };
}

export function describeRejection(answer: Answer): string {
  const body = ErrorBody.safeParse(bodyOf(answer));
  if (!body.success) return `The gateway returned status ${answer.status}.`;
  const { code, message } = body.data.error;
  return `The gateway rejected the call (${answer.status} ${code}): ${message}`;
}

/** The model to set: the one asked for, or else the first that can use tools. */
export function chooseModel({ models }: KeyModels, asked: string | undefined): ToolModel {
  const found = asked === undefined ? (models.find(({ tools }) => tools) ?? models[0]) : models.find(({ id }) => id === asked);
  if (found) return found;
  if (models.length === 0) throw new ConnectError("This key can't call any text model. Ask your gateway administrator for one.");
  throw new ConnectError(`This key can't call '${asked}'. It can call ${models.map(({ id }) => id).join(', ')}.`);
}

/** One sentence for each variable that is set and overrides the tool's file. */
export function overridesIn({ name, overrides }: Recipe, env: Env): readonly string[] {
  return overrides
    .filter(({ variable }) => env[variable])
    .map(
      ({ variable, what }) => `${variable} is set and overrides the ${what} that ${name} reads from its file. Unset it: unset ${variable}`,
    );
}

/** URLs of the gateway in a tool's file that lack `/v1`. */
export function urlsWithoutVersion(text: string, baseUrl: string): readonly string[] {
  const urls = text.match(/https?:\/\/[^\s"'<>,]+/g) ?? [];
  return urls.filter(
    (url) => URL.canParse(url) && new URL(url).host === new URL(baseUrl).host && !/\/v1(\/|$)/.test(new URL(url).pathname),
  );
}
