/** An outage's effect on calls: how many failed, and which models have no other candidate. */
import type { OutageImpact } from '../../../../../contract/admin/upstreams.ts';
import { overview } from '../../texts/overview.ts';

const { impact: words } = overview;

export const Impact = ({ of: { failed_calls: calls, models } }: { readonly of: OutageImpact }) => (
  <ul className="impact">
    {calls !== null && calls > 0 && <li>{words.calls(calls)}</li>}
    {models.length > 0 ? <li>{words.stuck(models.join(', '))}</li> : <li className="soft">{words.covered}</li>}
  </ul>
);
