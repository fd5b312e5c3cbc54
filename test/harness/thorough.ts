/** Whether this lane tries more of the same: more steps beside a model, more widths of a page. The chaos lanes do. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly isThorough: boolean;
  }
}

export const isThorough = (): boolean => inject('isThorough');
