/** The upstreams with defaults filled in: those of the file, or the one from the environment, or the simulator. */
import type { ConfigDocument, Environment } from './document.ts';
import { issueFault } from './explain.ts';
import type { Problem } from './problems.ts';
import { ConfigFile, type FileSettings } from './schema.ts';

type UpstreamSettings = FileSettings['upstreams'][string];
/** An upstream with its name. */
export type NamedUpstream = UpstreamSettings & { name: string };

interface Sources {
  readonly configured: FileSettings['upstreams'];
  readonly env: Environment;
  readonly server: FileSettings['server'];
  readonly document: ConfigDocument;
}

export interface Completed<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

export function completeUpstreams({ configured, env, server, document }: Sources): Completed<Record<string, NamedUpstream>> {
  const fromFile = Object.keys(configured).length > 0;
  const { value, problems } = fromFile ? { value: configured, problems: [] } : impliedUpstream(env);
  const place = (name: string): string =>
    fromFile ? document.locate(['upstreams', name, 'baseUrl']) : 'environment variable OPENAI_BASE_URL';
  const loops = Object.entries(value)
    .filter(([, upstream]) => upstream.kind !== 'simulator' && isOwnAddress(upstream.baseUrl, server))
    .map(([name]) => ({ where: place(name), key: `upstreams.${name}.baseUrl`, ...ownAddress }));
  const doubled = Object.entries(value)
    .filter(([, upstream]) => upstream.kind !== 'simulator' && upstream.apiKey !== undefined && upstream.apiKeys !== undefined)
    .map(([name]) => ({ where: document.locate(['upstreams', name, 'apiKeys']), key: `upstreams.${name}.apiKeys`, ...twoKeys }));
  const named = Object.entries(value).map(([name, upstream]) => [name, { name, ...upstream }] as const);
  return { value: Object.fromEntries(named), problems: [...problems, ...loops, ...doubled] };
}

const twoKeys = { message: 'is set beside apiKey', remedy: 'Put that key into the list, and remove apiKey.' };

function impliedUpstream(env: Environment): Completed<FileSettings['upstreams']> {
  const written =
    env.OPENAI_API_KEY === undefined || env.OPENAI_API_KEY === ''
      ? { simulator: { kind: 'simulator' } }
      : { openai: { kind: 'openai', apiKey: env.OPENAI_API_KEY, ...(env.OPENAI_BASE_URL && { baseUrl: env.OPENAI_BASE_URL }) } };
  const parsed = ConfigFile.shape.upstreams.safeParse(written);
  if (parsed.success) return { value: parsed.data, problems: [] };
  const problems = parsed.error.issues.map((issue) => ({
    where: `environment variable ${issue.path.at(-1) === 'apiKey' ? 'OPENAI_API_KEY' : 'OPENAI_BASE_URL'}`,
    key: '',
    ...issueFault(issue, ['upstreams', ...issue.path], { upstreams: written }),
  }));
  return { value: {}, problems };
}

/** An OPENAI_BASE_URL that was set for clients of the gateway reaches the gateway too: it would call itself for ever. */
const ownAddress = { message: 'is the address of this gateway itself', remedy: 'Name the upstream, or unset the variable.' };

function isOwnAddress(baseUrl: string, server: FileSettings['server']): boolean {
  const url = new URL(baseUrl);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const hosts = ['127.0.0.1', 'localhost', '[::1]', server.host];
  return server.port !== 0 && port === server.port && hosts.includes(url.hostname);
}
