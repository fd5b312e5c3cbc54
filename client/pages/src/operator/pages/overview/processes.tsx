/** The gateway's live processes and their reports. */
import { formatDuration } from '../../../data/times.ts';
import { State, Time } from '../../../kit/values.tsx';
import { overview } from '../../../texts/overview.ts';
import type { OverviewBody } from './overview-data.ts';

type Node = OverviewBody['nodes'][number];
const words = overview.processes;

export function Processes({ nodes }: { readonly nodes: readonly Node[] }) {
  return (
    <section className="card stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      {nodes.length === 0 && <p className="soft">{words.none}</p>}
      <ul className="list">
        {nodes.map((node) => (
          <li key={node.id} className="stack">
            <State tone="good">
              <code>{node.id}</code>
              {node.is_current && <span className="soft"> {words.servesThisPage}</span>}
            </State>
            <p className="soft small">
              {[...listFacts(node), words.reported].join(' · ')} <Time at={node.seen_at} format="ago" />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function listFacts({ version, started_at, loop_delay_ms, memory_mb, open_streams, waiting_charges }: Node): readonly string[] {
  return [
    ...(version === null ? [] : [version]),
    ...(started_at === null ? [] : [words.up(formatDuration(Math.max(Date.now() - Date.parse(started_at), 0)))]),
    ...(loop_delay_ms === null ? [] : [words.loopDelay(loop_delay_ms.toLocaleString())]),
    ...(memory_mb === null ? [] : [words.memory(memory_mb.toLocaleString())]),
    ...(open_streams === null ? [] : [words.streams(open_streams)]),
    ...(waiting_charges === null || waiting_charges === 0 ? [] : [words.pendingCharges(waiting_charges)]),
  ];
}
