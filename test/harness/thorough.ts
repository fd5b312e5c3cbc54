/** Whether this lane tries more of the same, such as steps beside a model. The lane `chaos` does. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly isThorough: boolean;
  }
}

export const isThorough = (): boolean => inject('isThorough');
