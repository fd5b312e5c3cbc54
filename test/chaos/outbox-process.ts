/** A process for the tests: appends one record to the outbox of a folder, reports it, and runs until it is killed. */
import { openOutbox } from '../../server/storage/outbox/outbox.ts';

const [, , folder = '', name = ''] = process.argv;
await openOutbox({ folder }).append({ name });
process.stdout.write('kept\n');
process.stdin.resume();
