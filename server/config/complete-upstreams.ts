/** Fills in the defaults of upstreams and finds mistakes in them. If the file has no upstreams, the environment implies one. */

import type { Fault, HttpSettings } from './clouds/cloud.ts';
import { resolveCloud } from './clouds/resolve-cloud.ts';
import type { ConfigDocument } from './config-document.ts';
import { formatPath, type Path, type Problem } from './config-error.ts';
import { getValueAt, toFault } from './explain-issues.ts';
import type { Environment } from './references.ts';
import { ConfigFile, type FileSettings } from './schema.ts';

type UpstreamSettings = FileSettings['upstreams'][string];

export type NamedUpstream = ((HttpSettings & { baseUrl: string }) | Extract<UpstreamSettings, { kind: 'simulator' }>) & { name: string };

export interface WithProblems<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

export function completeUpstreams(
  configured: FileSettings['upstreams'],
  env: Environment,
  server: FileSettings['server'],
  document: ConfigDocument,
): WithProblems<Record<string, NamedUpstream>> {
  // A `baseUrl` that the file doesn't set is a default.
  const isFromFile = Object.keys(configured).length > 0;
  const parsedUpstreams = isFromFile ? { value: configured, problems: [] } : parseImpliedUpstream(env);
  const locateKey = (path: Path): string =>
    isFromFile ? document.locate(path) : `environment variable ${path.at(-1) === 'baseUrl' ? 'OPENAI_BASE_URL' : 'OPENAI_API_KEY'}`;
  const problems = [...parsedUpstreams.problems];
  const entries = Object.entries(parsedUpstreams.value).map(([name, written]): [string, NamedUpstream] => {
    if (written.kind === 'simulator') return [name, { name, ...written }];
    const { upstream, faults } = resolveCloud(
      written,
      !isFromFile || getValueAt(document.value, ['upstreams', name, 'baseUrl']) !== undefined,
    );
    const allFaults = faults.length > 0 ? faults : findUpstreamFaults(upstream, server);
    for (const { path, message, remedy } of allFaults) {
      const fullPath = ['upstreams', name, ...path];
      problems.push({ where: locateKey(fullPath), key: formatPath(fullPath), message, remedy });
    }
    return [name, { name, ...upstream }];
  });
  return { value: Object.fromEntries(entries), problems };
}

function findUpstreamFaults(upstream: HttpSettings & { readonly baseUrl: string }, server: FileSettings['server']): Fault[] {
  return [
    ...(isOwnAddress(upstream.baseUrl, server) ? [{ path: ['baseUrl'], ...ownAddressFault }] : []),
    ...(upstream.apiKey !== undefined && upstream.apiKeys !== undefined ? [{ path: ['apiKeys'], ...twoKeysFault }] : []),
  ];
}

const twoKeysFault = { message: "can't be combined with apiKey", remedy: 'Add that key to apiKeys, and remove apiKey.' };

function parseImpliedUpstream(env: Environment): WithProblems<FileSettings['upstreams']> {
  const impliedUpstreams =
    env.OPENAI_API_KEY === undefined || env.OPENAI_API_KEY === ''
      ? { simulator: { kind: 'simulator' } }
      : { openai: { kind: 'openai', apiKey: env.OPENAI_API_KEY, ...(env.OPENAI_BASE_URL && { baseUrl: env.OPENAI_BASE_URL }) } };
  const parsed = ConfigFile.shape.upstreams.safeParse(impliedUpstreams);
  if (parsed.success) return { value: parsed.data, problems: [] };
  const problems = parsed.error.issues.map((issue) => ({
    where: `environment variable ${issue.path.at(-1) === 'apiKey' ? 'OPENAI_API_KEY' : 'OPENAI_BASE_URL'}`,
    key: '',
    ...toFault(issue, ['upstreams', ...issue.path], { upstreams: impliedUpstreams }),
  }));
  return { value: {}, problems };
}

/** If OPENAI_BASE_URL is set for clients of the gateway, the gateway reads it, too, and would call itself in an endless loop. */
const ownAddressFault = { message: 'is the address of this gateway', remedy: 'Set the address of the upstream, or unset the variable.' };

function isOwnAddress(baseUrl: string, server: FileSettings['server']): boolean {
  const url = new URL(baseUrl);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const hosts = ['127.0.0.1', 'localhost', '[::1]', server.host];
  return server.port !== 0 && port === server.port && hosts.includes(url.hostname);
}
