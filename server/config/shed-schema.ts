/** `server.shed`: when the process has too much to do, and how much memory request bodies may take. */
import { z } from 'zod';
import { MEBIBYTE, MINUTE, whole } from './bounds.ts';

const mebibytes = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .max(16 * MEBIBYTE)
    .optional()
    .meta({ description, examples: [example] });

export const Shed = z.strictObject({
  loopDelayMs: whole(
    { from: 0, to: MINUTE, standard: 500 },
    'Delay of the event loop, smoothed over some hundred milliseconds, over which new requests get 503. 0: never.',
  ),
  memoryMb: mebibytes(
    'Memory in MiB that the process uses, over which new requests get 503. Left out: three quarters of what its container or machine has, or little more than its heap may take. 0: never.',
    1_500,
  ),
  bodiesMb: mebibytes(
    'Memory in MiB for request bodies under way, over which calls get 503. Left out: a quarter of what the process may take, at least one body of the largest kind. 0: no bound.',
    1_024,
  ),
  bodiesPerKeyMb: mebibytes(
    'How much of that the calls of one key may take, over which they get 429. Left out: a quarter of it. 0: no bound.',
    256,
  ),
});
