/** An outage's effect on calls: how many failed, and which models have no fallback. */
import type { OutageImpact } from '../../../../../contract/admin/upstreams.ts';
import { ShortNames } from '../../kit/values.tsx';
import { overview } from '../../texts/overview.ts';

const { impact: words } = overview;

export const Impact = ({ of: { failed_calls: calls, models } }: { readonly of: OutageImpact }) => (
  <ul className="impact">
    {calls !== null && calls > 0 && <li>{words.calls(calls)}</li>}
    {models.length > 0 ? (
      <li>
        <ShortNames of={models} /> {words.noFallback(models.length)}
      </li>
    ) : (
      <li className="soft">{words.covered}</li>
    )}
  </ul>
);
