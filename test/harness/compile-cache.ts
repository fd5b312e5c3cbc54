/** The compile cache that processes under test share. With it a start takes half the CPU. A process that ends normally adds to the cache; a killed one does not. */
import { join } from 'node:path';

export const compileCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled') };
