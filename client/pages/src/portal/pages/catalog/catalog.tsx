/** The catalog: anybody sees the prices by group, a key owner their own, with the reason where a model is not callable. */
import type { ReactNode } from 'react';
import type { Contract } from '../../../../../../contract/index.ts';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { readDollars } from '../../../data/money.ts';
import { useSession } from '../../../data/session.ts';
import { flag, oneOf, text, useUrlState } from '../../../data/url-state.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { SelectField, TextField } from '../../../kit/form.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Count, Money, State } from '../../../kit/values.tsx';
import { catalog as words } from '../../../texts/portal-catalog.ts';
import { call, useRead, useReadPublic } from '../../api.ts';
import { abilities, type Entry, entryOfGroup, entryOfHolder, priceOf, sortBy } from './entries.ts';

const kinds = ['', 'text', 'image'] as const;
const sortings = ['', 'id', 'context', 'input', 'output'] as const;
const fields = {
  group: text,
  kind: oneOf(kinds, ''),
  can: oneOf(['', ...abilities], ''),
  q: text,
  mine: flag,
  sort: oneOf(sortings, ''),
  order: oneOf(['asc', 'desc'], 'asc'),
} as const;

export function Catalog() {
  const session = useSession((signal) => call('getSession', {}, signal));
  return session.data ? <OwnCatalog /> : <PublicCatalog />;
}

type Own = Success<PortalContract['listModels']>;
type Public = Success<Contract['getCatalog']>;

function OwnCatalog() {
  const models = useRead('listModels');
  const [{ mine }, set] = useUrlState(fields);
  const toggle = (
    <label className="row">
      <input type="checkbox" checked={mine === '1'} onChange={({ target }) => set({ mine: target.checked ? '1' : '' })} />
      {words.onlyCallable}
    </label>
  );
  return (
    <Loaded of={models} rows={8}>
      {({ data }: Own) => (
        <Models
          entries={data.map(entryOfHolder).filter(({ callable }) => mine === '' || callable)}
          intro={words.introForKey(data[0]?.multiplier.replace(/\.?0+$/, '') ?? '1')}
          more={[toggle]}
          isOwn
        />
      )}
    </Loaded>
  );
}

const FIRST_GROUP = 'default';

function PublicCatalog() {
  const models = useReadPublic('getCatalog', {});
  const [{ group: asked }, set] = useUrlState(fields);
  return (
    <Loaded of={models} rows={8}>
      {({ data }: Public) => {
        const groups = [...new Set(data.flatMap((model) => model.groups.map(({ name }) => name)))].sort();
        const group = asked !== '' ? asked : groups.includes(FIRST_GROUP) ? FIRST_GROUP : (groups[0] ?? FIRST_GROUP);
        const options = [...new Set([...groups, group])].map((value) => ({ value, label: value }));
        const choice = (
          <SelectField
            key="group"
            label={words.group}
            name="group"
            value={group}
            onChange={(value) => set({ group: value })}
            options={options}
          />
        );
        const signIn = (
          <ButtonLink key="sign-in" href="/" kind="primary">
            {words.signIn}
          </ButtonLink>
        );
        return <Models entries={data.flatMap((model) => entryOfGroup(model, group))} intro={words.intro} first={choice} more={[signIn]} />;
      }}
    </Loaded>
  );
}

interface ModelsProps {
  readonly entries: readonly Entry[];
  readonly intro: string;
  readonly first?: ReactNode;
  readonly more: readonly ReactNode[];
  readonly isOwn?: boolean;
}

function Models({ entries, intro, first, more, isOwn = false }: ModelsProps) {
  const [{ kind, can, q, sort, order }, set] = useUrlState(fields);
  const wanted = q.toLowerCase();
  const fitting = entries.filter(
    (one) => (kind === '' || one.kind === kind) && (can === '' || one.can.includes(can)) && one.id.toLowerCase().includes(wanted),
  );
  const isFiltered = kind !== '' || can !== '' || q !== '';
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      <p className="soft">{intro}</p>
      <div className="row filters">
        {first}
        <SelectField
          label={words.kind}
          name="kind"
          value={kind}
          onChange={(value) => set({ kind: value as typeof kind })}
          options={kindOptions}
        />
        <SelectField
          label={words.capabilities}
          name="can"
          value={can}
          onChange={(value) => set({ can: value as typeof can })}
          options={canOptions}
        />
        <TextField label={words.search} name="q" type="search" value={q} onChange={(value) => set({ q: value }, { replace: true })} />
        {more}
      </div>
      {fitting.length === 0 ? (
        <Empty title={isFiltered ? words.emptyFiltered : words.empty}>
          {isFiltered && <Button onClick={() => set({ kind: '', can: '', q: '' })}>{words.clearFilters}</Button>}
        </Empty>
      ) : (
        <Table
          caption={words.caption}
          columns={isOwn ? [...columns, stateColumn] : columns}
          rows={sort === '' ? fitting : sortBy(fitting, sort, order)}
          idOf={({ id }) => id}
          sorting={{ by: sort, order, onSort: (by, way) => set({ sort: by as typeof sort, order: way }) }}
        />
      )}
    </section>
  );
}

const kindOptions = kinds.map((value) => ({ value, label: words.kinds[value] }));
const canOptions = (['', ...abilities] as const).map((value) => ({ value, label: words.abilities[value] }));

const { columns: titles } = words;
const Price = ({ of, name }: { readonly of: Entry; readonly name: 'input' | 'cached' }) => <Money amount={priceOf(of, name)} />;

const columns: readonly Column<Entry>[] = [
  { id: 'id', title: titles.id, cell: ({ id }) => <strong>{id}</strong>, isMain: true, canSort: true },
  { id: 'kind', title: titles.kind, cell: ({ kind }) => words.kinds[kind] },
  { id: 'context', title: titles.context, isNumber: true, canSort: true, cell: ({ context }) => <Count of={context} isShort /> },
  { id: 'abilities', title: titles.capabilities, cell: ({ can }) => can.map((one) => words.abilities[one]).join(' · ') },
  { id: 'input', title: titles.input, isNumber: true, isMain: true, canSort: true, cell: (row) => <Price of={row} name="input" /> },
  { id: 'cached', title: titles.cached, isNumber: true, cell: (row) => <Price of={row} name="cached" /> },
  { id: 'output', title: titles.output, isNumber: true, isMain: true, canSort: true, cell: (row) => <Output of={row} /> },
];

const stateColumn: Column<Entry> = {
  id: 'state',
  title: titles.state,
  isMain: true,
  cell: ({ callable, reason }) => (
    <State tone={callable ? 'good' : 'bad'}>{callable ? words.available : (reason ?? words.unavailable)}</State>
  ),
};

/** Of an image model the price of an image, the lowest first. */
function Output({ of }: { readonly of: Entry }) {
  if (of.prices === null) return <span className="soft">{words.noPrice}</span>;
  if (of.prices === 'free') return words.free;
  if (!('images' in of.prices)) return <Money amount={priceOf(of, 'output')} />;
  const amounts = Object.values(of.prices.images).map((amount) => readDollars(amount) ?? 0n);
  const least = priceOf(of, 'output');
  return (
    <span>
      {amounts.length > 1 && <span className="soft">{words.from} </span>}
      <Money amount={least} /> <span className="soft small">{titles.image}</span>
    </span>
  );
}
