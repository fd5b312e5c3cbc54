/** The widths and themes in which pages are looked at: every one of them in the lane `chaos-pages`, half of them elsewhere, where time is short. */
import { isThorough } from '../harness/thorough.ts';

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
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

export const looks = (): readonly Look[] => (isThorough() ? all : half);
