/** The reload of the configuration in the operators' API. */
import type { configurationRoutes, RefusedReload } from '../../contract/admin/configuration.ts';
import type { AdminContract } from '../../contract/admin.ts';
import type { AnyAdminCode } from '../../contract/admin-errors.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { problemLine } from '../config/problems.ts';
import { GatewayError } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import type { RefusedReload as Refused } from '../reload/reload.ts';
import { auditOf, type Operations } from './operations.ts';

export function configurationHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof configurationRoutes> {
  return {
    async reloadConfig({ request, ok }) {
      const { reloader, access } = operations;
      if (!reloader) throw new GatewayError<AnyAdminCode>('conflict', { message: NOT_HERE });
      const outcome = await reloader.reload('admin', async ({ kind: _, ...names }) => {
        // Before the change: there must be no change without an audit entry.
        await access.store.note(auditOf(operations, request, { action: 'config.reload', target: 'config', details: names }));
      });
      if (outcome.kind === 'refused') throw new ReloadError(outcome);
      const { added, removed, changed } = outcome;
      return ok({ object: 'config_reload', added: [...added], removed: [...removed], changed: [...changed] });
    },
  };
}

const NOT_HERE =
  'No gateway runs in this process. Give the admin listener of the running one with --url, or send it SIGHUP (kill -HUP, systemctl reload).';

const codes: Readonly<Record<Refused['reason'], ErrorCode>> = { wrong: 'invalid_value', restart: 'conflict', store: 'overloaded' };
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
    const problems = this.#problems.slice(0, MOST_TOLD).map(({ remedy: hint, ...problem }) => ({ ...problem, hint }));
    return { ...super.body, problems };
  }
}
