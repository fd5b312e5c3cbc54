/** `npm run soak`: one gateway under a fixed load for half an hour, and whether its memory and handles grow (F53). `-- --help` lists the options. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMisuse, readNumber } from '../../harness/options.ts';
import { everyKind } from './asked.ts';
import type { Running } from './child.ts';
import { Caller } from './load.ts';
import { startModelgate } from './modelgate.ts';
import { startVendor } from './servers.ts';
import { drawGraph, drawOutcome, drawSample, head, judgeSoak, type Sample } from './soak-verdict.ts';

const help = `npm run soak -- [options]
  --minutes N   how long, 0.05 to 1440 (30)
  --rate N      calls begun each second, 1 to 500 (50)
  --restarts N  how often the gateway restarts on its data meanwhile, 0 to 20 (0); each part has its own verdict

Starts a gateway with money and limits on, and a vendor behind it. Ends by itself.

Exit codes:
  0  surely nothing grows beyond its bound, or the run was too short to tell
  1  something grows, or the run cannot tell, or an answer was wrong; the reason is printed
  2  invalid command or option
`;

interface Order {
  readonly minutes: number;
  readonly rate: number;
  readonly restarts: number;
}

/** Null where the caller asked for help. */
function readOrder(args: string[]): Order | null {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '30' },
      rate: { type: 'string', default: '50' },
      restarts: { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    minutes: readNumber('--minutes', values.minutes, { from: 0.05, to: 1_440, isWhole: false }),
    rate: readNumber('--rate', values.rate, { from: 1, to: 500, isWhole: false }),
    restarts: readNumber('--restarts', values.restarts, { from: 0, to: 20 }),
  };
}

/** A gateway that falls so far behind does not bear the load. */
const maxOpen = 500;
const samples = 60;

/** Calls at a fixed rate, whatever becomes of those before. */
class Load {
  readonly #callers: readonly Caller[];
  readonly #running = new Set<Promise<void>>();
  calls = 0;
  /** The first answer that was wrong, or the load that was not borne. */
  fault: unknown = null;
  #sent = 0;

  constructor(gateway: Running) {
    this.#callers = everyKind.map((asked) => new Caller(gateway, asked, maxOpen));
  }

  /** As many as are due by the clock. */
  catchUp(due: number): void {
    for (; this.#sent < due; this.#sent++) this.#send(this.#callers[this.#sent % this.#callers.length]);
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
    await Promise.all(this.#callers.map((caller) => caller.close()));
  }

  #send(caller: Caller | undefined): void {
    if (!caller) return;
    if (this.#running.size >= maxOpen) this.fault ??= new Error(`${maxOpen} calls are open: the load is more than can be borne`);
    if (this.fault !== null) return;
    const running = caller
      .call()
      .then(
        () => void this.calls++,
        (error: unknown) => {
          this.fault ??= error;
        },
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

const tickMs = 20;
const megabyte = 1e6;

/** Ends by the clock, or at the first wrong answer. */
async function soak({ minutes, rate }: Pick<Order, 'minutes' | 'rate'>, gateway: Running): Promise<readonly Sample[]> {
  const load = new Load(gateway);
  const lengthMs = minutes * 60_000;
  const from = performance.now();
  const taken: Sample[] = [];
  for (let elapsed = 0; elapsed < lengthMs && load.fault === null; elapsed = performance.now() - from) {
    load.catchUp(Math.floor((elapsed / 1_000) * rate));
    if (elapsed >= (taken.length * lengthMs) / samples) taken.push(tell(await sample(gateway, elapsed, load.calls)));
    await pause(tickMs);
  }
  // While the connections are still there: one without them would be a fall.
  if (load.fault === null) taken.push(tell(await sample(gateway, performance.now() - from, load.calls)));
  await load.end();
  if (load.fault !== null) throw load.fault;
  return taken;
}

async function sample({ child }: Running, elapsedMs: number, calls: number): Promise<Sample> {
  const { rssBytes, heapBytes, handles } = await child.settle();
  return { seconds: elapsedMs / 1_000, rssMb: rssBytes / megabyte, heapMb: heapBytes / megabyte, handles, calls };
}

function tell(one: Sample): Sample {
  say(drawSample(one));
  return one;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(order: Order): Promise<number> {
  const vendor = await startVendor(null);
  try {
    // A machine that does other things meanwhile is no reason to end it: what grows is asked for, not how soon an answer comes.
    const setup = { isGoverned: true, takesAll: true, core: undefined };
    let gateway = await startModelgate({ vendorUrl: `${vendor.origin}/v1`, ...setup });
    try {
      const minutes = order.minutes / (order.restarts + 1);
      let isFine = true;
      say(`${order.rate} calls a second for ${order.minutes} minutes, of ${everyKind.length} kinds in turn`);
      for (let part = 0; part <= order.restarts; part++) {
        if (part > 0) gateway = await gateway.restart();
        say(`\n${head}`);
        const taken = await soak({ minutes, rate: order.rate }, gateway);
        const outcome = judgeSoak(taken);
        say(`\n${drawGraph(taken)}\n${drawOutcome(outcome)}`);
        if (outcome.verdict === 'growing' || outcome.verdict === 'unclear') isFine = false;
      }
      return isFine ? 0 : 1;
    } finally {
      await gateway.stop();
    }
  } finally {
    await vendor.stop();
  }
}

try {
  const order = readOrder(process.argv.slice(2));
  if (order) process.exitCode = await main(order);
  else process.stdout.write(help);
} catch (error) {
  process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = isMisuse(error) ? 2 : 1;
}
