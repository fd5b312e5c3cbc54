/** The size of V8's young generation. `launch.mjs` keeps it small while the gateway loads; otherwise an idle process would keep that memory. */
import { setFlagsFromString } from 'node:v8';

/** Restores V8's default growth, so that calls have the memory that they need. */
export const growYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=2');
