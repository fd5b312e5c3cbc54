/** The operators' app as a gateway runs it: admin keys at the door, one line in the log for each call. */
import type { FastifyInstance } from 'fastify';
import { type Log, requestLine } from '../telemetry/log.ts';
import { openAdminApp } from './app.ts';
import type { Operations } from './operations.ts';
import { identify } from './sessions.ts';

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
    hasConsole: operations.config.pages.console,
    callerOf: (request) => identify(request, operations),
    onRequest: (line) => requestLine(log, line),
    onFault: (id, error) => log.error({ id, code: error.code, err: error }, 'request failed'),
  });
}
