/** Packs the package as it is published and prints where: `node client/pack.ts <a new folder> [<address of the repository>]`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { packPackage } from './assemble.ts';

const [folder, repository] = process.argv.slice(2);
if (folder === undefined || existsSync(folder)) {
  process.stderr.write('usage: node client/pack.ts <a new folder> [<address of the repository>]\n');
  process.exitCode = 2;
} else console.log(await packPackage(resolve(folder), repository));
