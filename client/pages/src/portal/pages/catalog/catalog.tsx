/** The catalog: prices by group for everyone, and a key owner's own prices, with the reason why a model isn't callable. */

import type { ReactNode } from 'react';
import type { Contract } from '../../../../../../contract/index.ts';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { trimZeros } from '../../../data/money.ts';
import { useSession } from '../../../data/session.ts';
import { createEnumField, flag, text, useUrlState } from '../../../data/url-state.ts';
import { Button, ButtonLink, IconButton } from '../../../kit/button.tsx';
import { SelectField, TextField } from '../../../kit/form.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { catalog as words } from '../../../texts/portal-catalog.ts';
import { call, useRead, useReadPublic } from '../../api.ts';
import { ModelCard } from './card.tsx';
import './catalog.css';
import { Comparison, MAX_COMPARED } from './comparison.tsx';
import { abilities, type Entry, formatPrices, sortBy, toGroupEntries, toOwnEntry } from './entries.ts';

const kinds = ['', 'text', 'image'] as const;
const sortings = ['', 'id', 'context', 'input', 'output'] as const;
const fields = {
  group: text,
  kind: createEnumField(kinds, ''),
  can: createEnumField(['', ...abilities], ''),
  q: text,
  mine: flag,
  sort: createEnumField(sortings, ''),
  order: createEnumField(['asc', 'desc'], 'asc'),
  model: text,
  /** IDs, separated by commas. */
  compare: text,
} as const;

export function Catalog() {
  const session = useSession((signal) => call('getSession', {}, signal));
  return session.data ? <OwnCatalog /> : <PublicCatalog />;
}

type OwnModels = Success<PortalContract['listModels']>;
type PublicModels = Success<Contract['getCatalog']>;

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
      {({ data }: OwnModels) => (
        <Models
          entries={data.map(toOwnEntry).filter(({ callable }) => mine === '' || callable)}
          intro={`${words.introForKey(trimZeros(data[0]?.multiplier ?? '1'))} ${data.some(({ measures }) => measures) ? words.measured : ''}`}
          more={[toggle]}
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
      {({ data }: PublicModels) => {
        const groups = [...new Set(data.flatMap((model) => model.groups.map(({ name }) => name)))].sort();
        const group = asked !== '' ? asked : groups.includes(FIRST_GROUP) ? FIRST_GROUP : (groups[0] ?? FIRST_GROUP);
        const names = [...new Set([...groups, group])];
        const choice = <GroupChoice group={group} names={names} onChoose={(value) => set({ group: value })} />;
        const signIn = (
          <ButtonLink key="sign-in" href="/" kind="primary">
            {words.signIn}
          </ButtonLink>
        );
        return (
          <Models entries={data.flatMap((model) => toGroupEntries(model, group))} intro={words.intro} first={choice} more={[signIn]} />
        );
      }}
    </Loaded>
  );
}

/** The maximum number of groups side by side. */
const MAX_SEGMENTS = 4;

interface GroupProps {
  readonly group: string;
  readonly names: readonly string[];
  readonly onChoose: (group: string) => void;
}
function GroupChoice({ group, names, onChoose }: GroupProps) {
  const options = names.map((value) => ({ value, label: value }));
  if (names.length > MAX_SEGMENTS)
    return <SelectField label={words.group} name="group" value={group} onChange={onChoose} options={options} />;
  return (
    <div className="field">
      <span className="field-name" aria-hidden="true">
        {words.group}
      </span>
      <Segments label={words.group} value={group} onChange={onChoose} choices={options} />
    </div>
  );
}

/** The models to compare, from the URL. */
function useComparison(entries: readonly Entry[]) {
  const [{ compare }, set] = useUrlState(fields);
  const names = compare.split(',');
  const compared = entries.filter(({ id }) => names.includes(id));
  const getToggle = (entry: Entry) => {
    const others = compared.filter((one) => one !== entry);
    if (others.length === MAX_COMPARED) return undefined;
    return (isCompared: boolean) => set({ compare: [...others, ...(isCompared ? [entry] : [])].map(({ id }) => id).join(',') });
  };
  return { compared, getToggle, clear: () => set({ compare: '' }) };
}

interface ModelsProps {
  readonly entries: readonly Entry[];
  readonly intro: string;
  readonly first?: ReactNode;
  readonly more: readonly ReactNode[];
}

function Models({ entries, intro, first, more }: ModelsProps) {
  const [{ group, kind, can, q, sort, order, model }, set] = useUrlState(fields);
  const { compared, getToggle, clear } = useComparison(entries);
  const wanted = q.toLowerCase();
  const fitting = entries.filter(
    (one) => (kind === '' || one.kind === kind) && (can === '' || one.can.includes(can)) && one.id.toLowerCase().includes(wanted),
  );
  const shown = sort === '' ? fitting : sortBy(fitting, sort, order);
  const prices = formatPrices(shown);
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
        <SortField />
        {more}
      </div>
      {compared.length > 1 && <Comparison entries={compared} onClear={clear} />}
      {fitting.length === 0 ? (
        <Empty title={isFiltered ? words.emptyFiltered : words.empty}>
          {isFiltered && <Button onClick={() => set({ kind: '', can: '', q: '' })}>{words.clearFilters}</Button>}
        </Empty>
      ) : (
        <ul className="models" aria-label={words.caption}>
          {shown.map((entry, column) => (
            <ModelCard
              key={entry.id}
              entry={entry}
              prices={prices.map((line) => line[column] ?? '')}
              group={group}
              isCurrent={entry.id === model}
              isCompared={compared.includes(entry)}
              onCompare={getToggle(entry)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

const kindOptions = kinds.map((value) => ({ value, label: words.kinds[value] }));
const canOptions = (['', ...abilities] as const).map((value) => ({ value, label: words.abilities[value] }));
const sortOptions = sortings.map((value) => ({ value, label: words.sortings[value] }));

/** Sorting by context window starts with the highest value; all others start with the lowest. */
const getDefaultOrder = (sort: (typeof sortings)[number]) => (sort === 'context' ? 'desc' : 'asc');

function SortField() {
  const [{ sort, order }, set] = useUrlState(fields);
  return (
    <div className="sorting">
      <SelectField
        label={words.sort}
        name="sort"
        value={sort}
        // `as`: one of the options.
        onChange={(value) => set({ sort: value as typeof sort, order: getDefaultOrder(value as typeof sort) })}
        options={sortOptions}
      />
      {sort !== '' && (
        <IconButton
          label={words.orders[order]}
          icon={order === 'asc' ? 'up' : 'down'}
          onClick={() => set({ order: order === 'asc' ? 'desc' : 'asc' })}
        />
      )}
    </div>
  );
}
