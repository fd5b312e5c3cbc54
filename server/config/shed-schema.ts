/** `server.shed`: when the process is overloaded, and how much memory request bodies may take. */
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
    'Delay of the event loop, smoothed over some hundred milliseconds, above which new requests get 503. 0: never.',
  ),
  memoryMb: mebibytes(
    'Memory of the process in MiB above which new requests get 503. Default: three quarters of the memory of its container or machine, or slightly more than the limit of its heap. 0: never.',
    1_500,
  ),
  bodiesMb: mebibytes(
    'Memory in MiB for the request bodies in flight, above which calls get 503. Default: a quarter of the memory of the process, and at least one body of the largest size. 0: no limit.',
    1_024,
  ),
  bodiesPerKeyMb: mebibytes(
    'The part of it in MiB that the calls of one key may take, above which they get 429. Default: a quarter. 0: no limit.',
    256,
  ),
});
