/** `activity` and `refusals`: how long rows of the request log are kept. */
import { z } from 'zod';
import { whole } from './bounds.ts';

export const ActivitySettings = z
  .strictObject({
    days: whole(
      { from: 0, to: 3650, standard: 30 },
      'How long the row of each call is kept, about 700 bytes each; sums by hour and day stay. 0: nothing is written.',
    ),
  })
  .prefault({})
  .meta({ description: 'The request log, which `modelgate requests`, `modelgate activity` and `modelgate explain --request` read.' });

export const RefusalSettings = z
  .strictObject({
    days: whole({ from: 1, to: 365, standard: 7 }, 'How long they are kept.'),
    most: whole({ from: 0, to: 1_000_000, standard: 50_000 }, 'How many are kept, newest first; about 400 bytes each. 0: none.'),
  })
  .prefault({})
  .meta({ description: 'Requests whose key was not recognised, which anybody can send: bounds of their own within the request log.' });
