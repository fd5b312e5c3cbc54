/** Run by the tests as a process of its own: keeps one record in the outbox of a folder, says so, and stays until it is killed. */
import { openOutbox } from '../../server/store/outbox/outbox.ts';

const [, , folder = '', name = ''] = process.argv;
await openOutbox({ folder }).append({ name });
process.stdout.write('kept\n');
process.stdin.resume();
