/** Money in responses to callers. Amounts are decimal strings, because floats aren't exact. */
import { z } from 'zod';

/** Always has six decimal places, so that amounts aren't rounded and columns line up. */
export const Dollars = z
  .string()
  .regex(/^\d{1,13}\.\d{6}$/)
  .meta({ id: 'Dollars', description: 'US dollars as a string, with six decimal places.', examples: ['0.000310'] });

export const Multiplier = z
  .string()
  .regex(/^\d{1,3}\.\d{6}$/)
  .meta({
    id: 'Multiplier',
    description: 'The price multiplier for accounts in a group, with six decimal places.',
    examples: ['1.000000'],
  });

/** For amounts that can be negative, such as a correction or a balance. */
export const SignedDollars = z
  .string()
  .regex(/^-?\d{1,13}\.\d{6}$/)
  .meta({
    id: 'SignedDollars',
    description: 'US dollars as a string, with six decimal places. Can be negative.',
    examples: ['-3.000000'],
  });
