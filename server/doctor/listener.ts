/** The port check of `modelgate doctor`: the port is free, or a gateway answers there with its state. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf, fault, milliseconds, ok, timed, type Verdict, warning } from './finding.ts';

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Answers 200 when the gateway is ready; `null`: not checked. */
  readonly health: string | null;
  /** Whether `serve` takes any free port when this one is in use. */
  readonly mayMove?: boolean;
  /** How to choose another port. */
  readonly setting: string;
}

const ANSWER_MS = 3_000;

export async function examineListener({ host, port, health, setting, mayMove = false }: Listener): Promise<Verdict> {
  if (port === 0) return ok(`${host}, any free port`);
  const problem = await tryPort(host, port);
  const place = `${host}:${port}`;
  if (problem === null) return ok(`${place} is free; no gateway runs here`);
  if (problem === 'EADDRINUSE')
    return health === null
      ? ok(`${place} is in use, by a gateway if one runs here`)
      : askGateway(`http://${callable(host)}:${port}`, { place, health, setting, mayMove });
  if (problem === 'EACCES') return fault(`this user may not listen on ${place}`, `Choose a port above 1023 with ${setting}.`);
  return fault(`cannot listen on ${place} (${problem})`, `Is ${host} an address of this machine? Change it beside ${setting}.`);
}

async function tryPort(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return null;
  } catch (error) {
    return codeOf(error) ?? 'unknown';
  }
}

const callable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

interface Asked extends Pick<Listener, 'setting'> {
  readonly place: string;
  readonly health: string;
  readonly mayMove: boolean;
}

async function askGateway(origin: string, { place, health, setting, mayMove }: Asked): Promise<Verdict> {
  const answer = await timed(() => fetch(`${origin}${health}`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })).catch(
    () => null,
  );
  const isOurs = answer?.value.headers.get('x-request-id')?.startsWith('req_') === true;
  if (!answer || !isOurs) {
    const taken = `${place} is taken by another program`;
    if (mayMove) return warning(`${taken}; a start takes any free port`, `It prints which one. To choose one, set ${setting}.`);
    return fault(taken, `Stop that program, or choose another port with ${setting}.`);
  }
  const { status } = answer.value;
  const said = await answer.value.text();
  const detail = `a gateway answers at ${place} in ${milliseconds(answer.ms)}`;
  if (status === 503)
    return fault(`${detail} and is not ready`, 'Its store does not answer, or it is stopping: see the other lines here and its log.');
  if (said.includes('own share')) return warning(`${detail}; it counts limits by itself`, 'It cannot reach Redis.');
  return ok(detail);
}
