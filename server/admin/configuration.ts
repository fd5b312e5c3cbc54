/** The configuration in the operators' API: what runs, a check of the file, and its reload. */
import {
  type ConfigCheck,
  type ConfigSettings,
  type configurationRoutes,
  MOST_ENTRIES,
  type RefusedReload,
} from '../../contract/admin/configuration.ts';
import type { AdminContract } from '../../contract/admin.ts';
import type { AnyAdminCode } from '../../contract/admin-errors.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Config } from '../config/config.ts';
import { entriesOf, shownValue } from '../config/entries.ts';
import { type Problem, problemLine } from '../config/problems.ts';
import { placeOf } from '../config/sources.ts';
import { GatewayError } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import type { Checked, RefusedReload as Refused, Reloader } from '../reload/reload.ts';
import { auditOf, type Operations } from './operations.ts';

export function configurationHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof configurationRoutes> {
  return {
    getConfig: async ({ query, ok }) => ok(writeSettings(operations.config, query)),
    async checkConfig({ request, ok }) {
      const checked = await reloaderOf(operations).check();
      const { digest, problems } = checked;
      const details = { digest, problems: problems.length };
      await operations.access.store.note(auditOf(operations, request, { action: 'config.check', target: 'config', details }));
      return ok(writeCheck(checked));
    },
    async reloadConfig({ request, body, ok }) {
      const { access } = operations;
      const digest = body?.digest;
      const note = async ({ kind: _, ...names }: object & { readonly kind: string }): Promise<void> => {
        const details = digest === undefined ? names : { ...names, digest };
        await access.store.note(auditOf(operations, request, { action: 'config.reload', target: 'config', details }));
      };
      // Noted before the change: there must be no change without an audit entry.
      const outcome = await reloaderOf(operations).reload('admin', note, digest);
      if (outcome.kind === 'refused') throw new ReloadError(outcome);
      const { added, removed, changed } = outcome;
      return ok({ object: 'config_reload', added: [...added], removed: [...removed], changed: [...changed] });
    },
  };
}

function reloaderOf({ reloader }: Operations): Reloader {
  if (reloader) return reloader;
  throw new GatewayError<AnyAdminCode>('conflict', { message: NOT_HERE });
}

interface Wanted {
  readonly under?: string | undefined;
  readonly source?: string | undefined;
}

/** Also what `modelgate config show` prints. */
export function writeSettings(config: Config, { under, source }: Wanted): ConfigSettings {
  const entries: ConfigSettings['entries'] = [];
  for (const entry of entriesOf(config)) {
    if (under !== undefined && entry.key !== under && !entry.key.startsWith(`${under}.`)) continue;
    if (source !== undefined && entry.source.kind !== source) continue;
    if (entries.length === MOST_ENTRIES) return { object: 'config', file: config.file, entries, has_more: true };
    entries.push({ key: entry.key, value: shownValue(entry), secret: entry.isSecret, source: entry.source });
  }
  return { object: 'config', file: config.file, entries, has_more: false };
}

/** The most keys of one kind of change in one answer. */
const MOST_CHANGES = 1_000;

const writeCheck = ({ digest, added, removed, changed, needsRestart, problems }: Checked): ConfigCheck => ({
  object: 'config_check',
  digest,
  added: added.slice(0, MOST_CHANGES),
  removed: removed.slice(0, MOST_CHANGES),
  changed: changed.slice(0, MOST_CHANGES),
  needs_restart: needsRestart.slice(0, MOST_CHANGES),
  problems: problems.slice(0, MOST_TOLD).map(writeProblem),
});

const writeProblem = ({ where, key, message, remedy: hint }: Problem) => ({ where, ...placeOf(where), key, message, hint });

const NOT_HERE =
  'No gateway runs in this process. Give the admin listener of the running one with --url, or send it SIGHUP (kill -HUP, systemctl reload).';

const codes: Readonly<Record<Refused['reason'], ErrorCode>> = {
  wrong: 'invalid_value',
  other: 'config_changed',
  restart: 'conflict',
  store: 'overloaded',
};
/** The most problems in one answer; many are consequences of one mistake. */
const MOST_TOLD = 100;

/** The usual error body, with all problems beside it. */
class ReloadError extends GatewayError {
  readonly #problems: Refused['problems'];

  constructor({ reason, problems }: Refused) {
    const [first] = problems;
    super(codes[reason], {
      message: `The configuration was not reloaded; the one before stays in force. ${first ? problemLine(first) : ''}`,
      ...(first && first.key !== '' && { param: first.key }),
    });
    this.#problems = problems;
  }

  override get body(): RefusedReload {
    return { ...super.body, problems: this.#problems.slice(0, MOST_TOLD).map(writeProblem) };
  }
}
