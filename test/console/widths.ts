/** The widths and themes in which pages are looked at. */

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

export const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 820, 1440].map((width) => ({ colorScheme, width })),
);
