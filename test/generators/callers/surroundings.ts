/** What every program in TypeScript is given, and where it says what came of its calls. */
import { readFileSync } from 'node:fs';
import { env } from 'node:process';

export const origin = env.MODELGATE_ORIGIN ?? '';
export const key = env.MODELGATE_API_KEY ?? '';
export const greeting = env.GREETING ?? '';
export const picture = readFileSync(env.PICTURE ?? '');
export const pictureUrl = `data:image/png;base64,${picture.toString('base64')}`;

export const print = (outcome: object): void => console.log(JSON.stringify(outcome));
