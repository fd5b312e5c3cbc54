/** The upstreams with defaults filled in: those of the file, or the one from the environment, or the simulator. */
import { settleCloud } from './clouds/complete.ts';
import type { Fault, HttpSettings } from './clouds/place.ts';
import type { ConfigDocument, Environment } from './document.ts';
import { issueFault } from './explain.ts';
import { type Path, type Problem, pathText } from './problems.ts';
import { ConfigFile, type FileSettings } from './schema.ts';

type UpstreamSettings = FileSettings['upstreams'][string];
/** An upstream with its name. */
export type NamedUpstream = ((HttpSettings & { baseUrl: string }) | Extract<UpstreamSettings, { kind: 'simulator' }>) & { name: string };

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
  const implied = fromFile ? { value: configured, problems: [] } : impliedUpstream(env);
  const where = (path: Path): string =>
    fromFile ? document.locate(path) : `environment variable ${path.at(-1) === 'baseUrl' ? 'OPENAI_BASE_URL' : 'OPENAI_API_KEY'}`;
  const problems = [...implied.problems];
  const named = Object.entries(implied.value).map(([name, written]): [string, NamedUpstream] => {
    if (written.kind === 'simulator') return [name, { name, ...written }];
    const { upstream, faults } = settleCloud(written, !fromFile || isWritten(document, ['upstreams', name, 'baseUrl']));
    const found = faults.length > 0 ? faults : faultsOf(upstream, server);
    for (const { path, message, remedy } of found) {
      const whole = ['upstreams', name, ...path];
      problems.push({ where: where(whole), key: pathText(whole), message, remedy });
    }
    return [name, { name, ...upstream }];
  });
  return { value: Object.fromEntries(named), problems };
}

/** Whether the file itself has a value there, not a default. */
function isWritten({ value }: ConfigDocument, path: readonly string[]): boolean {
  return path.reduce<unknown>((part, key) => (isFields(part) ? part[key] : undefined), value) !== undefined;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function faultsOf(upstream: HttpSettings & { readonly baseUrl: string }, server: FileSettings['server']): Fault[] {
  return [
    ...(isOwnAddress(upstream.baseUrl, server) ? [{ path: ['baseUrl'], ...ownAddress }] : []),
    ...(upstream.apiKey !== undefined && upstream.apiKeys !== undefined ? [{ path: ['apiKeys'], ...twoKeys }] : []),
  ];
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
