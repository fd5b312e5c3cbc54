/** All checks of `modelgate doctor`, one after the other, so that each timing is of one part. */
import type { Environment } from '../access/pepper.ts';
import { STANDARD_ADMIN_PORT } from '../config/admin-port.ts';
import { type Config, type HttpUpstreamConfig, limitCounter, type UpstreamConfig } from '../config/config.ts';
import { examinePostgres, examineSqlite } from './database.ts';
import { examine, type Finding, ok, skipped, type Verdict } from './finding.ts';
import { examineFolder } from './folder.ts';
import { examineIssuer } from './issuer.ts';
import { examineListener, type Listener } from './listener.ts';
import { examineClock, examineOpenFiles } from './machine.ts';
import { examineModels } from './models.ts';
import { examinePepper } from './pepper.ts';
import { examineRedis } from './redis.ts';
import { examineUpstream } from './upstream.ts';

export interface Examination {
  readonly config: Config;
  readonly env: Environment;
  /** Whether to ask upstreams for their lists of models, with their keys. */
  readonly asksForModels: boolean;
}

export async function examineAll({ config, env, asksForModels }: Examination): Promise<Finding[]> {
  const { data, database, redis } = config;
  const upstreams = Object.values(config.upstreams);
  const parts: readonly (readonly [string, () => Verdict | Promise<Verdict>])[] = [
    [
      'configuration',
      () => ok(`${config.file ?? 'no file'}, ${count(config.models.length, 'model')}, ${count(upstreams.length, 'upstream')}`),
    ],
    ['data folder', () => examineFolder(data)],
    ['pepper', () => examinePepper(config, env)],
    ['database', () => (database.url === undefined ? examineSqlite(data) : examinePostgres(database.url))],
    [
      'redis',
      () =>
        redis.url === undefined ? skipped(`not configured; limits are counted in ${limitCounter(config.server)}`) : examineRedis(redis.url),
    ],
    ...upstreams.map((upstream) => [`upstream ${upstream.name}`, () => look(upstream, asksForModels)] as const),
    ...issuersOf(config).map((oidc) => ['single sign-on', () => examineIssuer(oidc)] as const),
    ['public models', () => examineModels(config)],
    ['clock', () => examineClock(data)],
    ['open files', () => examineOpenFiles(upstreams.filter(isRemote).reduce((sum, { connections }) => sum + connections, 0))],
    ...listenersOf(config).map(([name, listener]) => [name, () => examineListener(listener)] as const),
  ];
  const findings: Finding[] = [];
  for (const [part, work] of parts) findings.push(await examine(part, work));
  return findings;
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
const isRemote = (upstream: UpstreamConfig): upstream is HttpUpstreamConfig => upstream.kind !== 'simulator';
const look = (upstream: UpstreamConfig, asksForModels: boolean): Verdict | Promise<Verdict> =>
  isRemote(upstream) ? examineUpstream(upstream, asksForModels) : skipped('built in, no model behind it');

const issuersOf = ({ admin: { oidc } }: Config) => (oidc ? [oidc] : []);

function listenersOf({ server, admin, metrics }: Config): (readonly [string, Listener])[] {
  return [
    ['port', { ...server, health: '/readyz', setting: 'server.port (--port)' }],
    ...(admin.enabled
      ? [
          [
            'admin port',
            { ...admin, health: '/admin/openapi.json', setting: 'admin.port', mayMove: admin.port === STANDARD_ADMIN_PORT },
          ] as const,
        ]
      : []),
    ...(metrics.enabled ? [['metrics port', { ...metrics, health: null, setting: 'metrics.port' }] as const] : []),
  ];
}
