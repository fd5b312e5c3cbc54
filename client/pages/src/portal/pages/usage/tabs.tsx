/** The tabs of the usage page. */
import { useSearchParams } from 'wouter';
import { Tabs } from '../../../kit/tabs.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';

export const tabs = ['usage', 'calls', 'statements', 'entries'] as const;
export type Tab = (typeof tabs)[number];

/** Keeps range and filters, so that the calls match the totals. */
function getHref(search: URLSearchParams, tab: Tab): string {
  const next = new URLSearchParams(search);
  next.delete('open');
  next.set('tab', tab);
  return `/usage?${next}`;
}

export function UsageTabs({ current }: { readonly current: Tab }) {
  const [search] = useSearchParams();
  return <Tabs label={words.title} current={current} tabs={tabs} titles={words.tabs} getHref={(tab) => getHref(search, tab)} />;
}
