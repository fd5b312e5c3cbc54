/** Details of an audit log entry, beside the list: each changed field, and the complete entry as JSON. */
import { Link } from 'wouter';
import type { AuditEntry } from '../../../../../../contract/admin/operators.ts';
import { Copy } from '../../../kit/copy.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { CopiedId, Time } from '../../../kit/values.tsx';
import { audit as words } from '../../../texts/audit.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { type Change, hasBefore, listChanges } from './changes.ts';
import { buildSentence, getActorName } from './entry.ts';
import type { Value } from './values.ts';

export interface EntryProps {
  readonly entry: AuditEntry;
}

export const Sentence = ({ entry }: EntryProps) => (
  <span className="sentence wrapped">
    {buildSentence(entry).map(({ text, href }, index) =>
      href === undefined ? (
        text
      ) : (
        <Link key={index} href={href}>
          {text}
        </Link>
      ),
    )}
  </span>
);

export function EntryPanel({ entry, onClose }: EntryProps & { readonly onClose: () => void }) {
  const { at, actor, target, details, names } = entry;
  const session: readonly FactLine[] =
    typeof details.session === 'string' ? [[words.session, <CopiedId key="session" id={details.session} what={words.session} />]] : [];
  return (
    <Panel label={words.entry(entry.id)} title={<Sentence entry={entry} />} onClose={onClose}>
      <Facts
        lines={[
          [words.columns.at, <Time key="at" at={at} format="second" />],
          [words.columns.actor, getActorName(actor, names[actor])],
          [words.actorId, <CopiedId key="actor" id={actor} what={words.actorId} />],
          [words.action, <code key="action">{entry.action}</code>],
          [words.targetId, <CopiedId key="target" id={target} what={words.targetId} />],
          ...session,
          [words.entryId, <CopiedId key="entry" id={entry.id} what={words.entryId} />],
        ]}
      />
      <h3>{words.changes}</h3>
      <Changes entry={entry} />
      <Raw entry={entry} />
    </Panel>
  );
}

function Changes({ entry }: EntryProps) {
  const changes = listChanges(entry);
  if (changes.length === 0) return <p className="soft">{words.noChanges}</p>;
  const { diff } = words;
  const isCompared = hasBefore(entry);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys.
    <section className="scrolls" tabIndex={0} aria-label={words.changes}>
      <table className="table plain tight diff">
        <thead>
          <tr>
            <th scope="col">{diff.field}</th>
            {isCompared && <th scope="col">{diff.before}</th>}
            <th scope="col">{isCompared ? diff.after : diff.value}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <Line key={change.label} change={change} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const Line = ({ change: { label, before, after } }: { readonly change: Change }) => (
  <tr>
    <th scope="row">{label}</th>
    {before && (
      <td className="soft">
        <Shown value={before} />
      </td>
    )}
    <td>
      <Shown value={after} />
    </td>
  </tr>
);

const Shown = ({ value }: { readonly value: Value }) =>
  'time' in value ? <Time at={value.time} /> : <span className="wrapped">{value.text}</span>;

function Raw({ entry }: EntryProps) {
  const json = JSON.stringify(entry, null, 2);
  return (
    <details className="same-as">
      <summary>{words.raw}</summary>
      <div className="row">
        <Copy text={json} what={words.rawWhat} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
      <pre className="code" tabIndex={0}>
        {json}
      </pre>
    </details>
  );
}
