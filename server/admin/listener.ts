/** The operators' app as a gateway runs it: admin keys at the door, one line in the log for each call. */
import type { FastifyInstance } from 'fastify';
import { authenticateAdmin } from '../access/authenticate-admin.ts';
import { type Log, requestLine } from '../telemetry/log.ts';
import { openAdminApp } from './app.ts';
import type { Operations } from './operations.ts';

export interface AdminListenerOptions {
  readonly log: Log;
  /** As `development` of the configuration. */
  readonly checkAnswers: boolean;
  /** As of the app. */
  readonly arrivalMs?: number;
}

/** Not listening yet. */
export function openAdminListener(operations: Operations, options: AdminListenerOptions): Promise<FastifyInstance> {
  const { log, ...appOptions } = options;
  return openAdminApp(operations, {
    ...appOptions,
    callerOf: async ({ headers }) => {
      const { id: actor, role } = await authenticateAdmin(headers.authorization, operations.access);
      return { actor, role };
    },
    onRequest: (line) => requestLine(log, line),
    onFault: (id, error) => log.error({ id, code: error.code, err: error }, 'request failed'),
  });
}
