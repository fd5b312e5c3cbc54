/** Run by the tests as a process of its own: a first start on a data folder, held back until all of them are ready. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAccess } from '../../../server/access/access.ts';
import { issueFirstKey } from '../../../server/access/issue-key.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';

process.stdout.write('ready\n');
await once(process.stdin, 'data');
const [, , folder = ''] = process.argv;
const database = openDatabase({ folder, durability: 'relaxed' });
const access = await openAccess(folder, database);
const first = await issueFirstKey({ ...access, now: Date.now });
database.close();
process.stdout.write(`${JSON.stringify({ pepper: readFileSync(join(folder, 'pepper'), 'utf8').trim(), key: first?.key ?? null })}\n`);
process.stdin.destroy();
