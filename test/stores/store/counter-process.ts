/** The tests run this as a separate process: it counts up through the writer thread, and never closes it. */
import { once } from 'node:events';
import { openWriterThread } from '../../../server/store/sqlite/thread.ts';
import type { CounterSteps } from './counter-table.ts';

const [, , folder = '', count = '0'] = process.argv;
const runner = openWriterThread<CounterSteps>({ entry: new URL('counter-steps.ts', import.meta.url), folder, durability: 'relaxed' });
await runner.run('read', 'SELECT 1');
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
for (let turn = 0; turn < Number(count); turn++) {
  runner.run('add', { id: 'one', amount: 1n }).then((value) => process.stdout.write(`${value}\n`));
  if (turn % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
}
