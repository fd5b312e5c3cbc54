/** Opens the admin app of a running gateway: it identifies each caller and logs one line per call. */
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../telemetry/log.ts';
import { logRequestLine } from '../../telemetry/request-line.ts';
import { openAdminApp } from './app.ts';
import { identifyCaller } from './identify-caller.ts';
import type { Operations } from './operations.ts';

export interface AdminListenerOptions {
  readonly log: Log;
  /** Same as `development` in the configuration. */
  readonly checkAnswers: boolean;
  /** Same as in `AdminAppOptions`. */
  readonly arrivalMs?: number;
}

/** Opens the app without listening. */
export function openAdminListener(operations: Operations, options: AdminListenerOptions): Promise<FastifyInstance> {
  const { log, ...appOptions } = options;
  return openAdminApp(operations, {
    ...appOptions,
    hasConsole: operations.config.pages.console,
    identify: (request) => identifyCaller(request, operations),
    onRequest: (line) => logRequestLine(log, line),
    onFault: (id, error) => log.error({ id, code: error.code, err: error }, 'request failed'),
  });
}
