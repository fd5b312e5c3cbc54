/** The widths and themes in which pages are looked at: every one of them in the lane `chaos-pages`, half of them elsewhere, where time is short. */
import { inject } from 'vitest';

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether pages are looked at in every width and theme. */
    readonly everyLook: boolean;
  }
}

const all: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 768, 1440].map((width) => ({ colorScheme, width })),
);
/** Each width, and both themes. */
const half: readonly Look[] = [
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 768 },
  { colorScheme: 'light', width: 1440 },
];

export const looks = (): readonly Look[] => (inject('everyLook') ? all : half);
