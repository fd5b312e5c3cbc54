/** Models: the price of each model per price list and group, and the dialog for a new version. */
import type { ConfiguredModel } from '../../../../../../contract/admin/models.ts';
import type { PriceVersion } from '../../../../../../contract/admin/rules.ts';
import { alignDecimals } from '../../../data/money.ts';
import { text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField, TextField } from '../../../kit/form.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, createMoneyColumn, Table } from '../../../kit/table.tsx';
import { Money, ShortName, ShortNames, State, Time } from '../../../kit/values.tsx';
import { configText } from '../../../texts/config-text.ts';
import { kit } from '../../../texts/kit.ts';
import { prices as words } from '../../../texts/prices.ts';
import { useRead } from '../../api.ts';
import { AddConfig } from '../../parts/add-config.tsx';
import { EditConfig } from '../../parts/edit-config.tsx';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { useFailingModels } from '../../reads/failing-models.ts';
import { formatFactor, type Group } from './before-after.tsx';
import { CreatePrice } from './create-price.tsx';
import { computeExampleCost } from './example-cost.ts';
import { PriceText } from './price-text.tsx';
import { ProviderSection } from './provider-cost.tsx';

/** `open`: `list/model` of the price with the open panel. */
const fields = { q: text, list: text, open: text, dialog: text } as const;

const getId = ({ price_list, model }: PriceVersion): string => `${price_list}/${model}`;
const { columns: titles } = words;

interface PriceColumnOptions {
  readonly groups: readonly Group[];
  readonly models: readonly ConfiguredModel[];
  readonly failing: ReadonlySet<string>;
  readonly rows: readonly PriceVersion[];
}
const createColumns = ({ groups, models, failing, rows }: PriceColumnOptions): readonly Column<PriceVersion>[] => [
  { id: 'model', title: titles.model, isMain: true, cell: ({ model }) => <ShortName of={model} /> },
  {
    id: 'state',
    title: titles.state,
    isMain: true,
    card: 'second',
    cell: ({ model }) => failing.has(model) && <State tone="bad">{kit.failingNow}</State>,
    isEmpty: ({ model }) => !failing.has(model),
  },
  {
    id: 'list',
    title: titles.list,
    isMain: true,
    card: 'end',
    cell: ({ price_list }) => price_list,
    isEmpty: ({ price_list }) => price_list === rows[0]?.price_list,
  },
  ...createRateColumns(rows),
  {
    id: 'groups',
    title: titles.groups,
    isWide: true,
    cell: ({ model }) => {
      const names = findGroups(model, groups).map(({ name }) => name);
      return names.length === 0 ? words.noGroup : <ShortNames of={names} />;
    },
  },
  { id: 'since', title: titles.since, isWide: true, cell: ({ created_at }) => <Time at={created_at} format="day" /> },
  createMoneyColumn({
    id: 'provider',
    title: words.provider.cost,
    isMain: true,
    of: ({ model }) => findModel(model, models)?.provider_30d.cost ?? null,
  }),
  createMoneyColumn({
    id: 'margin',
    title: words.provider.margin,
    isMain: true,
    of: ({ model }) => findModel(model, models)?.provider_30d.margin ?? null,
  }),
];

const rateNames = ['input', 'cached_input', 'output'] as const;
const getRate = ({ prices }: PriceVersion, name: (typeof rateNames)[number]): string | undefined =>
  typeof prices === 'object' && 'input' in prices ? prices[name] : undefined;

/** Prices per million tokens, all with the same decimals. Other kinds of prices are in the first column. */
function createRateColumns(rows: readonly PriceVersion[]): readonly Column<PriceVersion>[] {
  const rates = rows.flatMap((row) => rateNames.flatMap((name) => getRate(row, name) ?? []));
  const aligned = new Map(alignDecimals(rates).map((text, index) => [rates[index], text]));
  return rateNames.map((name) => ({
    id: name,
    title: titles[name],
    isNumber: true,
    isMain: true,
    cell: (row) => {
      const rate = getRate(row, name);
      if (rate !== undefined) return <span className="number">${aligned.get(rate)}</span>;
      const isOther = typeof row.prices === 'string' || 'images' in row.prices;
      return isOther && name === 'input' ? <PriceText of={row.prices} /> : <span className="soft">{kit.none}</span>;
    },
  }));
}

const findModel = (model: string, models: readonly ConfiguredModel[]) => models.find(({ id }) => id === model);
const findGroups = (model: string, groups: readonly Group[]): readonly Group[] => groups.filter(({ models }) => models.includes(model));

export function PricesPage() {
  const [state, set] = useUrlState(fields);
  const list = useRead('listPrices');
  const groups = useRead('listGroups').data?.data ?? [];
  const models = useRead('listModels').data?.data ?? [];
  const failing = useFailingModels();
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <Button onClick={() => set({ dialog: 'add' })}>{configText.add.models}…</Button>
      </div>
      <p className="soft">{words.unit}</p>
      <Filters lists={[...new Set(list.data?.data.map(({ price_list }) => price_list))]} />
      <Loaded of={list} rows={6}>
        {({ data }) => {
          const opened = data.find((row) => getId(row) === state.open);
          return (
            <div className="split">
              <PriceTable rows={data} groups={groups} models={models} failing={failing} />
              {opened && (
                <PriceDetails
                  row={opened}
                  groups={findGroups(opened.model, groups)}
                  model={findModel(opened.model, models)}
                  onCreate={() => set({ dialog: 'create' })}
                  onEdit={() => set({ dialog: 'edit' })}
                  onClose={() => set({ open: '' })}
                />
              )}
              {opened && state.dialog === 'edit' && <EditConfig section="models" name={opened.model} onClose={() => set({ dialog: '' })} />}
              {opened && state.dialog === 'create' && (
                <CreatePrice key={state.open} row={opened} groups={findGroups(opened.model, groups)} onClose={() => set({ dialog: '' })} />
              )}
            </div>
          );
        }}
      </Loaded>
      {state.dialog === 'add' && <AddConfig section="models" onClose={() => set({ dialog: '' })} />}
    </section>
  );
}

function Filters({ lists }: { readonly lists: readonly string[] }) {
  const [{ q, list }, set] = useUrlState(fields);
  return (
    <search className="filters">
      <TextField label={words.search} name="q" value={q} onChange={(typed) => set({ q: typed }, { replace: true })} />
      <SelectField
        label={words.list}
        name="list"
        value={list}
        onChange={(chosen) => set({ list: chosen })}
        options={[{ value: '', label: words.allLists }, ...lists.map((value) => ({ value, label: value }))]}
      />
    </search>
  );
}

function PriceTable({ rows, ...options }: PriceColumnOptions) {
  const [{ q, list, open }, set] = useUrlState(fields);
  const word = q.trim().toLowerCase();
  const shown = rows.filter(({ model, price_list }) => model.toLowerCase().includes(word) && (list === '' || price_list === list));
  if (rows.length === 0) return <Empty title={words.empty} />;
  if (shown.length === 0)
    return (
      <Empty title={words.emptyFiltered}>
        <Button onClick={() => set({ q: '', list: '' })}>{words.clearFilters}</Button>
      </Empty>
    );
  const columns = createColumns({ rows, ...options });
  return (
    <Table
      caption={words.caption}
      columns={open === '' ? columns : columns.filter(({ id }) => !inPanel.has(id))}
      rows={shown}
      getRowId={getId}
      onOpen={(row) => set({ open: getId(row) })}
      openId={open}
    />
  );
}

/** Columns that leave the list while the panel is open, which shows the same values. */
const inPanel = new Set(['groups', 'provider', 'since']);

interface PriceDetailsProps {
  readonly row: PriceVersion;
  readonly groups: readonly Group[];
  readonly model: ConfiguredModel | undefined;
  readonly onCreate: () => void;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}
function PriceDetails({ row, groups, model, onCreate, onEdit, onClose }: PriceDetailsProps) {
  return (
    <Panel label={row.model} title={row.model} onClose={onClose}>
      <div className="row">
        <Button kind="primary" onClick={onCreate}>
          {words.create}…
        </Button>
        <Button onClick={onEdit}>{configText.edit}…</Button>
      </div>
      <Facts
        lines={[
          [titles.list, row.price_list],
          [titles.price, <PriceText key="price" of={row.prices} />],
          [titles.version, row.version ?? words.notActive],
          [titles.source, words.sources[row.source]],
          [titles.since, <Time key="since" at={row.created_at} />],
        ]}
      />
      <h3>{words.pricePerGroup}</h3>
      {groups.length === 0 ? (
        <p className="soft">{words.noGroup}</p>
      ) : (
        <>
          <p className="soft small">
            {words.exampleFor} {typeof row.prices === 'object' && 'images' in row.prices ? words.exampleImage : words.exampleTokens}
          </p>
          <Facts
            lines={groups.map(
              ({ name, multiplier }): FactLine => [
                name,
                <span key={name} className="row">
                  <Money amount={computeExampleCost(row.prices, multiplier)} decimals={6} />{' '}
                  <span className="soft">{formatFactor(multiplier)}</span>
                </span>,
              ],
            )}
          />
        </>
      )}
      {model && <ProviderSection model={model} />}
    </Panel>
  );
}
