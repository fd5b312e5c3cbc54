/** `npm run fuzz -- [times] [seed]`: the fuzzing of the door with more cases than CI has, from a seed of its own; what fails is told with that seed. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';

const USUAL_TIMES = 10;
const MAX_SEED = 2 ** 31 - 1;

const [times = String(USUAL_TIMES), seed = String(randomInt(MAX_SEED))] = process.argv.slice(2);
if (!(Number(times) > 0) || !Number.isInteger(Number(seed))) {
  process.stderr.write('usage: npm run fuzz -- [how many times the cases of CI] [seed, a whole number]\n');
  process.exit(2);
}
const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');
const env = { ...process.env, MODELGATE_FUZZ_FACTOR: times, MODELGATE_FUZZ_SEED: seed };
process.stdout.write(`${times} times the usual cases, seed ${seed}\n`);
spawn(process.execPath, [vitest, 'run', '--project', 'chaos', 'test/chaos/fuzz-door'], { env, stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
