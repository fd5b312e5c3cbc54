/** The program that tests start as a process: the bundle of this run, or else the sources. */
import { join } from 'node:path';

export const sources = join(import.meta.dirname, '../../server/operate/launch.mjs');
export const launch = process.env.MODELGATE_TEST_LAUNCH ?? sources;
