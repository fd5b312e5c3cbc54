/** Where processes under test find the product compiled: a start takes half the CPU then. Whichever ends in good order adds what it compiled; one that is killed does not. */
import { join } from 'node:path';

export const compileCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled') };
