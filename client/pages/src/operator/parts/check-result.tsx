/** The result of checking the file: the keys that a reload would change, and the file's problems. */
import type { ConfigCheck } from '../../../../../contract/admin/configuration.ts';
import { type Column, Table } from '../../kit/table.tsx';
import { settings } from '../../texts/settings.ts';

const words = settings.check;

type Change = ConfigCheck['changed'][number];
export type Problem = ConfigCheck['problems'][number];
interface Row extends Change {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly isRestart: boolean;
}

export function CheckResult({ of }: { readonly of: ConfigCheck }) {
  const rows = toRows(of);
  const restarts = of.needs_restart.length;
  // An added or removed model or upstream has no values.
  const hasValues = rows.some(({ before, after, secret }) => secret || before !== null || after !== null);
  if (of.problems.length > 0) return <Problems title={words.invalid(of.problems.length)} problems={of.problems} />;
  if (rows.length === 0) return <p className="notice">{words.noChanges}</p>;
  return (
    <>
      <p className={restarts > 0 ? 'notice warn' : 'notice'}>
        {words.counts(of.added.length, of.changed.length, of.removed.length)}
        {restarts > 0 && ` ${words.restarts(restarts)}`}
      </p>
      <Table
        caption={words.caption}
        columns={hasValues ? [...columns, valueColumn] : columns}
        rows={rows}
        getRowId={({ kind, key }) => `${kind} ${key}`}
      />
    </>
  );
}

function toRows({ added, changed, removed, needs_restart: restarts }: ConfigCheck): Row[] {
  const needsRestart = (key: string): boolean => restarts.some((name) => key === name || key.startsWith(`${name}.`));
  const toKindRows = (kind: Row['kind'], changes: readonly Change[]): Row[] =>
    changes.map((change) => ({ ...change, kind, isRestart: needsRestart(change.key) }));
  return [...toKindRows('added', added), ...toKindRows('changed', changed), ...toKindRows('removed', removed)];
}

const columns: readonly Column<Row>[] = [
  {
    id: 'key',
    title: words.key,
    isMain: true,
    cell: ({ key, isRestart }) => (
      <>
        <code className="wrapped">{key}</code> {isRestart && <span className="soft small">{words.needsRestart}</span>}
      </>
    ),
  },
  { id: 'kind', title: words.kind, isMain: true, card: 'end', cell: ({ kind }) => words.kinds[kind] },
];
const valueColumn: Column<Row> = { id: 'value', title: words.value, isMain: true, card: 'third', cell: (row) => <Value of={row} /> };

/** Shows the old value, then the new one. */
function Value({ of: { kind, before, after, secret } }: { readonly of: Row }) {
  if (secret) return <span className="soft">{words.secret}</span>;
  return (
    <>
      {before !== null && (
        <del>
          <code className="wrapped">{before}</code>
        </del>
      )}
      {kind === 'changed' && ' → '}
      {after !== null && <code className="wrapped">{after}</code>}
    </>
  );
}

const problemColumns: readonly Column<Problem>[] = [
  {
    id: 'where',
    title: words.where,
    isMain: true,
    cell: ({ file, line, where }) => (
      <span className="wrapped">
        <code>{file ?? where}</code> {line !== null && words.line(line)}
      </span>
    ),
  },
  { id: 'key', title: words.key, isMain: true, cell: ({ key }) => <code className="wrapped">{key === '' ? words.wholeFile : key}</code> },
  { id: 'what', title: words.problem, isMain: true, cell: ({ message }) => message },
  { id: 'hint', title: words.hint, isMain: true, cell: ({ hint }) => hint },
];

export function Problems({ title, problems }: { readonly title: string; readonly problems: readonly Problem[] }) {
  return (
    <>
      <p className="notice warn">{title}</p>
      <Table
        caption={words.problems}
        columns={problemColumns}
        rows={problems}
        getRowId={({ where, key, message }) => `${where} ${key} ${message}`}
      />
    </>
  );
}
