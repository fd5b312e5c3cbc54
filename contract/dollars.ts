/** Money in answers to callers: decimal texts, since a float would not hold them exactly. */
import { z } from 'zod';

/** Six digits behind the point, always: nothing is rounded, and columns line up. */
export const Dollars = z
  .string()
  .regex(/^\d{1,13}\.\d{6}$/)
  .meta({ id: 'Dollars', description: 'US dollars as a text, with six digits behind the point.', examples: ['0.000310'] });

export const Multiplier = z
  .string()
  .regex(/^\d{1,3}\.\d{6}$/)
  .meta({ id: 'Multiplier', description: 'What prices are multiplied with for accounts of a group.', examples: ['1.000000'] });
