/** Admin API handlers for the configuration: show the active settings, check the file, and reload it. */

import {
  type ConfigCheck,
  type ConfigSettings,
  type configurationRoutes,
  MAX_ENTRIES,
  type RejectedReload,
} from '../../../contract/admin/configuration.ts';
import type { AnyAdminCode } from '../../../contract/admin/errors.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Config } from '../../config/config.ts';
import { getVisibleValue, listEntriesByLine } from '../../config/config-entries.ts';
import { formatProblem, type Problem } from '../../config/config-error.ts';
import { parsePosition } from '../../config/sources.ts';
import type { RejectedReload as Rejected, ReloadCheck, Reloader } from '../../gateway/reload.ts';
import { GatewayError } from '../../primitives/errors.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { editConfigText, getConfigText } from './config-text.ts';
import { type Operations, toAuditEntry } from './operations.ts';

export function createConfigurationHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof configurationRoutes> {
  return {
    getConfig: async ({ query, ok }) => ok(writeSettings(operations.config, query)),
    async checkConfig({ request, ok }) {
      const check = await requireReloader(operations).check();
      const { digest, problems } = check;
      const details = { digest, problems: problems.length };
      await operations.access.store.addAuditEntry(toAuditEntry(operations, request, { action: 'config.check', target: 'config', details }));
      return ok(writeCheck(check));
    },
    async reloadConfig({ request, body, ok }) {
      const { access } = operations;
      const digest = body?.digest;
      const recordReload = async ({ kind: _, ...names }: object & { readonly kind: string }): Promise<void> => {
        const details = digest === undefined ? names : { ...names, digest };
        await access.store.addAuditEntry(toAuditEntry(operations, request, { action: 'config.reload', target: 'config', details }));
      };
      // Audited before the change, so that no change lacks an audit entry.
      const outcome = await requireReloader(operations).reload('admin', recordReload, digest);
      if (outcome.kind === 'rejected') throw new ReloadError(outcome);
      const { added, removed, changed } = outcome;
      return ok({ object: 'config_reload', added: [...added], removed: [...removed], changed: [...changed] });
    },
    getConfigText: async ({ query, ok }) => ok(await getConfigText(operations, query)),
    async editConfigText({ request, body, ok }) {
      const outcome = await editConfigText(operations, requireReloader(operations), body, request);
      if (outcome.kind === 'rejected') throw new ReloadError(outcome);
      return ok(writeCheck(outcome.check));
    },
  };
}

function requireReloader({ reloader }: Operations): Reloader {
  if (reloader) return reloader;
  throw new GatewayError<AnyAdminCode>('conflict', { message: NO_GATEWAY_MESSAGE });
}

/** Returns the settings, which `modelgate config show` also prints. */
export function writeSettings(
  config: Config,
  { under, source }: { under?: string | undefined; source?: string | undefined },
): ConfigSettings {
  const entries: ConfigSettings['entries'] = [];
  for (const entry of listEntriesByLine(config)) {
    if (under !== undefined && entry.key !== under && !entry.key.startsWith(`${under}.`)) continue;
    if (source !== undefined && entry.source.kind !== source) continue;
    if (entries.length === MAX_ENTRIES) return { object: 'config', file: config.file, entries, has_more: true };
    entries.push({ key: entry.key, value: getVisibleValue(entry), secret: entry.isSecret, source: entry.source });
  }
  return { object: 'config', file: config.file, entries, has_more: false };
}

/** Maximum number of keys per kind of change in a response. */
const MAX_CHANGES = 1_000;

const writeCheck = ({ digest, added, removed, changed, needsRestart, problems }: ReloadCheck): ConfigCheck => ({
  object: 'config_check',
  digest,
  added: added.slice(0, MAX_CHANGES),
  removed: removed.slice(0, MAX_CHANGES),
  changed: changed.slice(0, MAX_CHANGES),
  needs_restart: needsRestart.slice(0, MAX_CHANGES),
  problems: problems.slice(0, MAX_PROBLEMS).map(writeProblem),
});

const writeProblem = ({ where, key, message, remedy: hint }: Problem) => ({ where, ...parsePosition(where), key, message, hint });

const NO_GATEWAY_MESSAGE =
  'No gateway is running in this process. Specify the admin listener of the running one with --url, or send it SIGHUP (kill -HUP, systemctl reload).';

const errorCodes: Readonly<Record<Rejected['reason'], ErrorCode>> = {
  wrong: 'invalid_value',
  other: 'config_changed',
  restart: 'conflict',
  store: 'overloaded',
};
/** Maximum number of problems in a response. Many are consequences of one mistake. */
const MAX_PROBLEMS = 100;

/** Adds all problems to the usual error body. */
class ReloadError extends GatewayError {
  readonly #problems: Rejected['problems'];

  constructor({ reason, problems }: Rejected) {
    const [firstProblem] = problems;
    super(errorCodes[reason], {
      message: `The configuration wasn't reloaded; the previous one is still active. ${firstProblem ? formatProblem(firstProblem) : ''}`,
      ...(firstProblem && firstProblem.key !== '' && { param: firstProblem.key }),
    });
    this.#problems = problems;
  }

  override get body(): RejectedReload {
    return { ...super.body, problems: this.#problems.slice(0, MAX_PROBLEMS).map(writeProblem) };
  }
}
