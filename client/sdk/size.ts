/** Prints the sizes of the client and the contract, and whether users can load the client; fails over a budget (`node client/sdk/size.ts`). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { packPackage } from '../packages/client.ts';
import { assembleContract } from '../packages/contract.ts';
import { measureContractSizes, measureSize } from '../packages/size.ts';

/** Maximum bytes that the client may add to an app, minified by the app's bundler and gzipped. */
const BUDGET_BYTES = 5_400;

/** The imports of the readme's first sample. They include every method and error, because bundlers can't drop parts of a class. */
const app = ['Modelgate', 'outputText'];
/** Single exports whose size is printed too. */
const helpers = ['chatText', 'extraOf', 'withExtra', 'finalCompletion', 'parse', 'jsonSchemaOf', 'createParsedResponse', 'runTools'];

const attw = fileURLToPath(new URL('../../node_modules/.bin/attw', import.meta.url));
const print = (what: string, result: string) => console.log(`${what.padEnd(40)}${result}`);

async function measureClient(folder: string): Promise<boolean> {
  const file = join(folder, 'package/dist/index.js');
  const { plain, gzipped } = await measureSize(file, app);
  print('an app with the client', `${plain} bytes minified, ${gzipped} gzipped`);
  for (const helper of helpers)
    print(`with ${helper}`, `${(await measureSize(file, [...app, helper])).gzipped - gzipped} bytes more, gzipped`);
  const isWithin = gzipped <= BUDGET_BYTES;
  print('budget, minified and gzipped', `${gzipped} of ${BUDGET_BYTES} bytes${isWithin ? '' : ': TOO MUCH'}`);
  return isWithin;
}

async function measureContract(folder: string): Promise<boolean> {
  await assembleContract(folder, {});
  const measured = await measureContractSizes(folder);
  for (const { name, gzipped, budget } of measured)
    print(`contract: ${name}`, `${gzipped} of ${budget} bytes gzipped, without zod${gzipped <= budget ? '' : ': TOO MUCH'}`);
  return measured.every(({ gzipped, budget }) => gzipped <= budget);
}

async function checkPackage(folder: string): Promise<boolean> {
  const { messages } = await publint({ pkgDir: folder, strict: true });
  print('publint', messages.length === 0 ? 'clean' : JSON.stringify(messages, null, 2));
  return messages.length === 0;
}

function checkTypes(tarball: string): boolean {
  try {
    execFileSync(attw, [tarball, '--format', 'ascii', '--no-color'], { encoding: 'utf8', stdio: 'pipe' });
    print('attw', 'clean');
    return true;
  } catch (error) {
    // execFileSync throws an error that carries the output of the command.
    print('attw', String((error as { stdout?: unknown }).stdout || error));
    return false;
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'modelgate-client-'));
try {
  const folder = join(scratch, 'package');
  const tarball = await packPackage(folder);
  const checks = [
    await measureClient(scratch),
    await measureContract(join(scratch, 'contract')),
    await checkPackage(folder),
    checkTypes(tarball),
  ];
  if (checks.includes(false)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
