/** How much is tried of what can be tried without end. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly isThorough: boolean;
  }
}

/** Whether this lane tries more of the same, such as steps beside a model. The lane `chaos` does. */
export const isThorough = (): boolean => inject('isThorough');

/** Whether this is CI's run of the night, which may take longer than the run on a change. */
export const isNightly = process.env.NIGHTLY === 'true';
