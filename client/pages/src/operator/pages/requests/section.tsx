/** A section of the request panel, with its heading. */
import type { ReactNode } from 'react';

export const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="section" aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
);
