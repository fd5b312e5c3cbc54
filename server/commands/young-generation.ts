/** V8's space for young objects. `launch.mjs` keeps it small while the gateway is loaded: a process that then idles would keep the room for rubbish. */
import { setFlagsFromString } from 'node:v8';

/** From now on it grows as V8 does it by itself; calls have the space that they need. */
export const letNurseryGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2');
