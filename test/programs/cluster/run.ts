/** `npm run cluster`: a whole cluster on this machine without Docker, to try things out; it is deleted when the command ends. */
import { parseArgs } from 'node:util';
import { isMisuse, readNumber } from '../../harness/options.ts';
import { type Cluster, MissingPrograms, startCluster } from './cluster.ts';

const help = `npm run cluster -- [options]
  --gateways N   how many gateways, 1 to 16 (2)
  --port N       of the balancer; 0 takes any free one (0)

Starts a private PostgreSQL and Redis, the gateways, and a balancer in front of them. Ctrl-C ends it all and deletes its data.
Needs the programs of PostgreSQL and Redis. On Debian: apt-get install postgresql redis-server
`;

interface Order {
  readonly gateways: number;
  readonly port: number;
}

/** Null if the command line asks for help. */
function readOrder(args: string[]): Order | null {
  const { values } = parseArgs({
    args,
    options: {
      gateways: { type: 'string', default: '2' },
      port: { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const gateways = readNumber('--gateways', values.gateways, { from: 1, to: 16 });
  return { gateways, port: readNumber('--port', values.port, { from: 0, to: 65_535 }) };
}

async function describe({ origin, key, gateways, command, postgres, redis }: Cluster): Promise<string> {
  const adminKey = (await command('admin-key', 'create', '--name', 'cluster')).trim();
  const [first] = gateways;
  const rows = [
    ['Base URL', `${origin}/v1   (each call to the next gateway)`],
    ['API key', key],
    ['Docs', `${origin}/docs`],
    ...(first?.adminOrigin === undefined ? [] : [['Admin API', `${first.adminOrigin}/admin/docs`]]),
    ['Admin key', adminKey],
    ...gateways.map(({ origin: own, pid, logFile }, index) => [`Gateway ${index + 1}`, `${own}   process ${pid}, log ${logFile}`]),
    ['PostgreSQL', postgres.url],
    ['Redis', redis.url],
  ];
  const lines = rows.map(([name = '', text = '']) => `  ${name.padEnd(11)} ${text}`);
  const title = `Modelgate, ${gateways.length === 1 ? 'one gateway' : `${gateways.length} gateways`} on one PostgreSQL and one Redis`;
  return [title, '', ...lines, '', 'Ctrl-C ends it and deletes its data.', '', ''].join('\n');
}

/** Resolves with the exit code after a signal has ended the cluster. */
async function run(order: Order): Promise<number> {
  // Listened for from the beginning: a signal during the start takes effect after it.
  let told: (signal: NodeJS.Signals) => void = () => undefined;
  const first = new Promise<NodeJS.Signals>((resolve) => {
    told = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => told(signal));
  const cluster = await startCluster(order);
  try {
    process.stdout.write(await describe(cluster));
    const signal = await first;
    // A second signal is for gateways that are still draining.
    told = (again) => cluster.signal(asEnd(again));
    const { exitCodes } = await cluster.stop(asEnd(signal));
    return exitCodes.every((code) => code === 0) ? 0 : 1;
  } finally {
    await cluster.stop('SIGKILL');
  }
}

/** A closed terminal stops the gateways gracefully too. */
const asEnd = (signal: NodeJS.Signals): NodeJS.Signals => (signal === 'SIGHUP' ? 'SIGTERM' : signal);

const misused = 2;

try {
  const order = readOrder(process.argv.slice(2));
  if (order) process.exit(await run(order));
  process.stdout.write(help);
} catch (error) {
  // What a person can mend is said in a line, the rest with its place.
  const isMisused = isMisuse(error);
  const text = isMisused || error instanceof MissingPrograms ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`cluster: ${text}\n${isMisused ? help : ''}`);
  process.exit(isMisused ? misused : 1);
}
