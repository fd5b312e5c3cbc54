/** The reload of the configuration in the operator's API. */
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
        // Ahead of the change: one that nobody is named for must not be.
        await access.store.note(auditOf(operations, request, { action: 'config.reload', target: 'config', details: names }));
      });
      if (outcome.kind === 'refused') throw new ReloadError(outcome);
      const { added, removed, changed } = outcome;
      return ok({ object: 'config_reload', added: [...added], removed: [...removed], changed: [...changed] });
    },
  };
}

const NOT_HERE =
  'No gateway runs in this process. Name the admin listener of the running one with --url, or send it SIGHUP (kill -HUP, systemctl reload).';

const codes: Readonly<Record<Refused['reason'], ErrorCode>> = { wrong: 'invalid_value', restart: 'conflict', store: 'overloaded' };
/** So many are told; the echoes of one mistake help nobody. */
const MOST_TOLD = 100;

/** The error of every operation, with all that is wrong beside it. */
class ReloadError extends GatewayError {
  readonly #problems: Refused['problems'];

  constructor({ reason, problems }: Refused) {
    const [first] = problems;
    super(codes[reason], {
      message: `The configuration was not reloaded; the one before goes on. ${first ? problemLine(first) : ''}`,
      ...(first && first.key !== '' && { param: first.key }),
    });
    this.#problems = problems;
  }

  override get body(): RefusedReload {
    const problems = this.#problems.slice(0, MOST_TOLD).map(({ remedy: hint, ...problem }) => ({ ...problem, hint }));
    return { ...super.body, problems };
  }
}
