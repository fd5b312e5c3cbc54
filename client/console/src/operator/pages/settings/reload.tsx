/** Reload of the configuration, and what came of it: the keys that changed, or the problems of the file. */
import type { ConfigReload, RefusedReload } from '../../../../../../contract/admin/configuration.ts';
import type { Failure } from '../../../data/failure.ts';
import { Button } from '../../../kit/button.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Failed } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { settings } from '../../../texts/settings.ts';
import { useChange } from '../../api.ts';
import { Facts } from '../../parts/facts.tsx';

const words = settings.reload;
type Problem = NonNullable<RefusedReload['problems']>[number];

export function Reload() {
  const { mutate, isPending, data, error } = useChange('reloadConfig', ['listGroups', 'getLimits', 'listPrices', 'listAudit']);
  return (
    <section className="card stack" aria-label={words.title}>
      <div className="row apart">
        <h2>{words.title}</h2>
        <Button kind="primary" isBusy={isPending} onClick={() => mutate({})}>
          {words.button}
        </Button>
      </div>
      <p className="soft">{words.lead}</p>
      {data && <Changes of={data} />}
      {error && <Refused failure={error} />}
      <SameAs method="POST" path="/admin/v1/config/reload" />
    </section>
  );
}

function Changes({ of: { added, removed, changed } }: { readonly of: ConfigReload }) {
  const lists = [
    [words.added, added],
    [words.removed, removed],
    [words.changed, changed],
  ] as const;
  const filled = lists.filter(([, names]) => names.length > 0);
  return (
    <div role="status" className="stack">
      <p className="row notice">{filled.length === 0 ? words.nothing : words.done}</p>
      <Facts lines={filled.map(([label, names]) => [label, <Names key={label} of={names} />] as const)} />
    </div>
  );
}

const Names = ({ of }: { readonly of: readonly string[] }) => (
  <ul className="plain-list">
    {of.map((name) => (
      <li key={name}>
        <code>{name}</code>
      </li>
    ))}
  </ul>
);

const columns: readonly Column<Problem>[] = [
  { id: 'where', title: words.where, isMain: true, cell: ({ where }) => <code className="wrapped">{where}</code> },
  { id: 'key', title: words.key, isMain: true, cell: ({ key }) => <code className="wrapped">{key === '' ? words.whole : key}</code> },
  { id: 'what', title: words.what, isMain: true, cell: ({ message }) => message },
  { id: 'hint', title: words.hint, isMain: true, cell: ({ hint }) => hint },
];

function Refused({ failure }: { readonly failure: Failure }) {
  // `as`: the contract says so of a refused reload, and what is absent is looked for.
  const problems = (failure.body as Partial<RefusedReload> | undefined)?.problems ?? [];
  return (
    <>
      <Failed failure={failure} title={words.refused} />
      {problems.length > 0 && (
        <Table
          caption={words.problems}
          columns={columns}
          rows={problems}
          idOf={({ where, key, message }) => `${where} ${key} ${message}`}
        />
      )}
    </>
  );
}
