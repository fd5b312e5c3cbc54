/** Whole gateways whose order of events follows from a seed: each admitted call ends once, no money is lost, and no slot is left (promises G2 to G4). */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { postgresName, usePostgres } from '../harness/postgres.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { postgresMissing } from '../harness/servers.ts';

const program = join(import.meta.dirname, '../programs/simulation/run.ts');
const seeds = 40;

async function simulate(database: Readonly<Record<string, string>>): Promise<string> {
  const running = promisify(execFile)(process.execPath, [program, String(seeds)], { env: { ...process.env, ...database } });
  const { stdout, stderr } = await running.catch((ended: { readonly stdout: string; readonly stderr: string }) => ended);
  return stdout + stderr;
}

test('G2, G3, G4: keeps the ledger sound on SQLite with each of forty seeds', async () => {
  expect(await simulate({})).toBe(`${seeds} seeds from 1: 0 failed\n`);
  recordAttempts('G2', { what: 'simulated gateways', times: seeds });
});

const server = usePostgres();
test.skipIf(postgresMissing !== null)(`G2, G3, G4: keeps the ledger sound with each of forty seeds on ${postgresName}`, async () => {
  const { url } = await server.fresh();
  expect(await simulate({ DATABASE_URL: url })).toBe(`${seeds} seeds from 1: 0 failed\n`);
  recordAttempts('G2', { what: 'simulated gateways', times: seeds });
});
