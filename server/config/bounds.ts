/** Whole numbers of a configuration, with the units that they are counted in. */
import { z } from 'zod';

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly standard: number;
}
export const whole = ({ from, to, standard }: Bounds, description: string) =>
  z
    .int()
    .min(from)
    .max(to)
    .default(standard)
    .meta({ description, examples: [standard] });

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const mebibyte = 1_048_576;
