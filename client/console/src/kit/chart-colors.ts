/** Which colour a series has, in the drawing, the readout and the legend. */
export const colorOf = ({ isOther }: { readonly isOther?: boolean }, index: number): string =>
  `var(--series-${isOther ? 'other' : index % 8})`;
