/** The color of a series in the chart, the readout, and the legend. */
export const getColor = (
  { isOther, tone }: { readonly isOther?: boolean; readonly tone?: 'good' | 'warn' | 'bad' },
  index: number,
): string => (tone === undefined ? `var(--series-${isOther ? 'other' : index % 8})` : `var(--chart-${tone})`);
