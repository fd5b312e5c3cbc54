/** Whole numbers of the configuration, with their units. */
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

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const MEBIBYTE = 1_048_576;
