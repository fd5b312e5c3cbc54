/** A link from a detail page back to its list. */
import { Link } from 'wouter';
import { kit } from '../texts/kit.ts';

export interface CrumbsProps {
  readonly parents: readonly { readonly title: string; readonly path: string }[];
  readonly here: string;
}
export const Crumbs = ({ parents, here }: CrumbsProps) => (
  <nav aria-label={kit.breadcrumb} className="crumbs soft small">
    {parents.map(({ title, path }) => (
      <span key={path}>
        <Link href={path}>{title}</Link> /
      </span>
    ))}
    <span aria-current="page">{here}</span>
  </nav>
);
