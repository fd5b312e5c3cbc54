/** A list of labels and values. */
import type { ReactNode } from 'react';

export type FactLine = readonly [label: string, value: ReactNode];

export const Facts = ({ lines }: { readonly lines: readonly FactLine[] }) => (
  <dl className="facts">
    {lines.map(([label, value]) => (
      <Fact key={label} label={label}>
        {value}
      </Fact>
    ))}
  </dl>
);

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);
