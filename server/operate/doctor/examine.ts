/** Runs all checks of `modelgate doctor` in sequence, so that each check is timed separately. */

import { existsSync, readFileSync } from 'node:fs';
import type { Environment } from '../../access/pepper.ts';
import { type Config, describeLimitCounter, type HttpUpstreamConfig, type UpstreamConfig } from '../../config/config.ts';
import { STANDARD_ADMIN_PORT } from '../../config/schema-server.ts';
import { type CheckResult, type Finding, formatCount, reportOk, reportSkipped, reportWarning, runCheck } from './check-result.ts';
import { examineClock } from './clock.ts';
import { examineFolder } from './folder.ts';
import { examineIssuer } from './issuer.ts';
import { examineListener, type Listener } from './listener.ts';
import { examineModelRules, examineModels } from './models.ts';
import { examinePepper } from './pepper.ts';
import { examinePostgres } from './postgres.ts';
import { examineRedis } from './redis.ts';
import { examineSqlite } from './sqlite.ts';
import { examineUpstream } from './upstream.ts';

export async function examineAll({ config, env }: { config: Config; env: Environment }): Promise<Finding[]> {
  const { data, database, redis, server, admin, metrics } = config;
  const { oidc } = admin;
  const upstreams = Object.values(config.upstreams);
  const checks: readonly (readonly [string, () => CheckResult | Promise<CheckResult>])[] = [
    [
      'configuration',
      () =>
        reportOk(
          `${config.file ?? 'no file'}, ${formatCount(config.models.length, 'model')}, ${formatCount(upstreams.length, 'upstream')}`,
        ),
    ],
    ['data folder', () => examineFolder(data)],
    ['pepper', () => examinePepper(config, env)],
    ['database', () => (database.url === undefined ? examineSqlite(data) : examinePostgres(database.url))],
    [
      'redis',
      () =>
        redis.url === undefined
          ? reportSkipped(`not configured; limits are counted in ${describeLimitCounter(server)}`)
          : examineRedis(redis.url),
    ],
    ...upstreams.map((upstream) => [`upstream ${upstream.name}`, () => examineIfRemote(upstream)] as const),
    ...(oidc ? [['single sign-on', () => examineIssuer(oidc)] as const] : []),
    ['public models', () => examineModels(config)],
    ['model rules', () => examineModelRules(config)],
    ['clock', () => examineClock(data)],
    [
      'open files',
      () => examineOpenFiles(upstreams.filter(isRemote).reduce((sum, { maxConcurrentRequests }) => sum + maxConcurrentRequests, 0)),
    ],
    ['port', () => examineListener({ ...server, health: '/readyz', setting: 'server.port (--port)' })],
    ...(admin.enabled ? [['admin port', () => examineListener(toAdminListener(admin))] as const] : []),
    ...(metrics.enabled ? [['metrics port', () => examineListener({ ...metrics, health: null, setting: 'metrics.port' })] as const] : []),
  ];
  const findings: Finding[] = [];
  for (const [part, work] of checks) findings.push(await runCheck(part, work));
  return findings;
}
const isRemote = (upstream: UpstreamConfig): upstream is HttpUpstreamConfig => upstream.kind !== 'simulator';
const examineIfRemote = (upstream: UpstreamConfig): CheckResult | Promise<CheckResult> =>
  isRemote(upstream) ? examineUpstream(upstream) : reportSkipped('built in; needs no connection');

const toAdminListener = (admin: Config['admin']): Listener => ({
  ...admin,
  health: '/admin/openapi.json',
  setting: 'admin.port',
  mayMove: admin.port === STANDARD_ADMIN_PORT,
});

/** Additional open files: logs, the database, and idle connections of callers. */
const SPARE_FILES = 1_024;

/** `connections` is the total of all upstreams. Callers need the same number of connections. */
function examineOpenFiles(connections: number, limits = '/proc/self/limits'): CheckResult {
  if (!existsSync(limits)) return reportSkipped('unknown on this system');
  const limitText = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync(limits, 'utf8'))?.[1] ?? '';
  const fileLimit = limitText === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limitText);
  const neededFiles = 2 * connections + SPARE_FILES;
  if (fileLimit >= neededFiles) return reportOk(`${limitText}; ${neededFiles} are enough`);
  return reportWarning(
    `${limitText}; ${neededFiles} may be needed`,
    `Raise the limit (LimitNOFILE=${neededFiles} or ulimit -n ${neededFiles}), or lower 'maxConcurrentRequests' of the upstreams.`,
  );
}
