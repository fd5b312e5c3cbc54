/** The parts of the page of usage. Each has its address, so that Back leads to the one before. */
import { Link, useSearchParams } from 'wouter';
import { usage as words } from '../../../texts/portal-usage.ts';

export const tabs = ['usage', 'calls', 'statements', 'entries'] as const;
export type Tab = (typeof tabs)[number];

/** Range and filters stay, so that the calls are those behind the figures. */
function getHref(search: URLSearchParams, tab: Tab): string {
  const next = new URLSearchParams(search);
  next.delete('open');
  next.set('tab', tab);
  return `/usage?${next}`;
}

export function Tabs({ current }: { readonly current: Tab }) {
  const [search] = useSearchParams();
  return (
    <nav className="tabs" aria-label={words.title}>
      {tabs.map((tab) => (
        <Link key={tab} href={getHref(search, tab)} aria-current={tab === current ? 'page' : undefined}>
          {words.tabs[tab]}
        </Link>
      ))}
    </nav>
  );
}
