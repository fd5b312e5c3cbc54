/**
 * `npm run simulate -- [how many] [first seed]`: whole gateways, in which a seed decides the order of everything that happens. One seed alone prints what
 * happened. `DATABASE_URL` names a new PostgreSQL database to use in place of SQLite.
 */
import { holdTime } from './clock.ts';

const [count = '200', first = '1'] = process.argv.slice(2);
if (!Number.isInteger(Number(count)) || !Number.isInteger(Number(first)) || Number(count) < 1) {
  process.stderr.write('usage: npm run simulate -- [how many] [first seed]\n');
  process.exit(2);
}
holdTime();
const { tell } = await import('./story.ts');
/** Opening a gateway costs more than telling a story. */
const SEEDS_OF_A_GATEWAY = 25;
const seeds = Array.from({ length: Number(count) }, (_, index) => Number(first) + index);
let failed = 0;
for (let begin = 0; begin < seeds.length; begin += SEEDS_OF_A_GATEWAY) {
  for await (const { seed, faults, trace, log } of tell(seeds.slice(begin, begin + SEEDS_OF_A_GATEWAY))) {
    if (faults.length === 0) continue;
    failed++;
    process.stdout.write(`seed ${seed}:\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
    if (seeds.length === 1) process.stdout.write(`${trace.join('\n')}\n${log.join('')}`);
  }
}
process.stdout.write(`${count} seeds from ${first}: ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
