/** What a key can do now: each model with the deciding rule and price, and what is left of balance and limits. It makes no call. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { KeyAccess as Access } from '../../../../../../contract/admin/explanations.ts';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Money, State, TextWithTimes } from '../../../kit/values.tsx';
import { keys } from '../../../texts/keys.ts';
import { prices as priceTexts } from '../../../texts/prices.ts';
import { spendingCaps as capWords } from '../../../texts/spending-caps.ts';
import { useRead } from '../../api.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';

const words = keys.access;
type ModelRow = Access['models'][number];
/** Rows shown at first, and added by each "Show more". */
const ROWS = 30;

/** One instance per key, so that data of another key is never shown. */
export const KeyAccess = ({ keyId }: { readonly keyId: string }) => <AccessDetails key={keyId} keyId={keyId} />;

function AccessDetails({ keyId }: { readonly keyId: string }) {
  const read = useRead('explainKey', { params: { key_id: keyId } });
  return (
    <section className="stack" aria-label={words.title}>
      <h3>{words.title}</h3>
      <Loaded of={read} rows={4}>
        {(access) => (
          <>
            <ModelTable models={access.models} />
            <Facts lines={listLines(access)} />
          </>
        )}
      </Loaded>
    </section>
  );
}

const columns: readonly Column<ModelRow>[] = [
  { id: 'model', title: words.model, isMain: true, cell: ({ id }) => <Link href={`/prices?q=${encodeURIComponent(id)}`}>{id}</Link> },
  { id: 'verdict', title: words.access, isMain: true, cell: (row) => <Verdict of={row} /> },
  {
    id: 'price',
    title: words.prices,
    isMain: true,
    cell: ({ price }) => (price === null ? <span className="soft">–</span> : <Prices of={price.effective} />),
  },
];

function ModelTable({ models }: { readonly models: readonly ModelRow[] }) {
  const [most, setMost] = useState(ROWS);
  if (models.length === 0) return <Empty title={words.noModels} />;
  const allowed = models.filter((model) => model.allowed).length;
  return (
    <>
      <p className="soft" role="status">
        {words.allowedOf(allowed, models.length)}
      </p>
      <Table
        caption={words.caption}
        columns={columns}
        rows={models.slice(0, most)}
        getRowId={({ id }) => id}
        onMore={models.length > most ? () => setMost(most + 10 * ROWS) : undefined}
      />
    </>
  );
}

function Verdict({ of: { allowed, rule, reason } }: { readonly of: ModelRow }) {
  if (allowed) return <State tone="good">{words.allowed}</State>;
  return (
    <span>
      <State tone="bad">{words.rejected}</State> <code>{rule}</code>
      <br />
      <span className="soft small">
        <TextWithTimes text={reason} />
      </span>
    </span>
  );
}

function listLines({ group, spending_caps: caps, subscription, balance, limits }: Access): readonly FactLine[] {
  return [
    [words.group, group],
    ...caps.map(
      (cap): FactLine => [words.capLeft(capWords.scopes[cap.scope], capWords.periods[cap.period]), <Money key="cap" amount={cap.left} />],
    ),
    ...(subscription === null ? [] : [[words.planLeft, <Money key="plan" amount={subscription.left} />] as const]),
    ...(balance === null ? [] : [[words.balance, <Money key="balance" amount={balance.available} />] as const]),
    ...limits.map((limit): FactLine => {
      const left = limit.remaining === null ? '–' : limit.remaining.toLocaleString();
      return [words.limitOf(limit.scope, limit.quantity), words.leftOf(left, limit.limit.toLocaleString())];
    }),
  ];
}

const { classes } = priceTexts;

/** Label of a token class. Null for an image or a tool. */
function getTokenClass(name: string): string | null {
  const [, above, long] = /^long_context\.(\d+)\.(\w+)$/.exec(name) ?? [];
  const own = long ?? name;
  if (!(own in classes)) return null;
  // `as`: it was just looked up.
  const text = classes[own as keyof typeof classes];
  return above === undefined ? text : priceTexts.above(text, Number(above));
}

/** Prices per million tokens, per image, or per call. */
const Prices = ({ of }: { readonly of: Readonly<Record<string, string>> }) => (
  <ul className="plain-list">
    {Object.keys(of).length === 0 && <li>{words.free}</li>}
    {Object.entries(of).map(([name, dollars]) => (
      <li key={name} className="number">
        <Money amount={dollars} />
        {getTokenClass(name) === null ? ' ' : `${words.perMillion} `}
        <span className="soft">{getTokenClass(name) ?? name}</span>
      </li>
    ))}
  </ul>
);
