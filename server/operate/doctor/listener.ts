/** Checks that an address is free, or that this gateway already listens on it. */

import { tryToListen } from '../try-to-listen.ts';
import { type CheckResult, formatMilliseconds, getErrorCode, measureTime, reportFault, reportOk, reportWarning } from './check-result.ts';

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Path that returns 200 when the gateway is ready. Null if it isn't checked. */
  readonly health: string | null;
  /** Whether `serve` uses any free port if this one is in use. */
  readonly mayMove?: boolean;
  /** Setting that selects the port. */
  readonly setting: string;
}

const RESPONSE_TIMEOUT_MS = 3_000;

export async function examineListener(listener: Listener): Promise<CheckResult> {
  const { host, port, health, setting } = listener;
  if (port === 0) return reportOk(`${host}, any free port`);
  const problem = await findPortProblem(host, port);
  const address = `${host}:${port}`;
  if (problem === null) return reportOk(`${address} is free; no gateway is running here`);
  if (problem === 'EADDRINUSE')
    return health === null
      ? reportOk(`${address} is in use, by a gateway if one is running here`)
      : examineGateway(address, health, listener);
  if (problem === 'EACCES') return reportFault(`this user can't listen on ${address}`, `Choose a port above 1023 with ${setting}.`);
  return reportFault(
    `can't listen on ${address} (${problem})`,
    `Check that ${host} is an address of this machine, and set it with ${setting.replaceAll('port', 'host')}.`,
  );
}

const findPortProblem = (host: string, port: number): Promise<string | null> =>
  tryToListen({ host, port }).then(
    () => null,
    (error: unknown) => getErrorCode(error) ?? 'unknown',
  );

const toCallableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

async function examineGateway(place: string, health: string, { host, port, setting, mayMove = false }: Listener): Promise<CheckResult> {
  const response = await measureTime(() =>
    fetch(`http://${toCallableHost(host)}:${port}${health}`, { redirect: 'manual', signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) }),
  ).catch(() => null);
  const isGateway = response?.value.headers.get('x-request-id')?.startsWith('req_') === true;
  if (!response || !isGateway) {
    const message = `${place} is in use by another program`;
    if (mayMove)
      return reportWarning(`${message}; the gateway will use a free port`, `It prints the port on start. To choose one, set ${setting}.`);
    return reportFault(message, `Stop that program, or choose another port with ${setting}.`);
  }
  const { status } = response.value;
  const text = await response.value.text();
  const detail = `a gateway responds at ${place} in ${formatMilliseconds(response.ms)}`;
  if (status === 503)
    return reportFault(
      `${detail} and isn't ready`,
      "The gateway is stopping, or its database doesn't respond. See the other findings and its log.",
    );
  if (text.includes('own share'))
    return reportWarning(
      `${detail}; it counts limits without Redis`,
      'Check that the gateway can connect to Redis. See the finding for redis.',
    );
  return reportOk(detail);
}
