/** The tabs of a page. Each has its own URL, so that "Back" returns to the previous tab. */
import { Link } from 'wouter';

export interface TabsProps<Tab extends string> {
  readonly label: string;
  readonly current: Tab;
  readonly tabs: readonly Tab[];
  readonly titles: Readonly<Record<Tab, string>>;
  readonly getHref: (tab: Tab) => string;
}
export const Tabs = <Tab extends string>({ label, current, tabs, titles, getHref }: TabsProps<Tab>) => (
  <nav className="tabs" aria-label={label}>
    {tabs.map((tab) => (
      <Link key={tab} href={getHref(tab)} aria-current={tab === current ? 'page' : undefined}>
        {titles[tab]}
      </Link>
    ))}
  </nav>
);
