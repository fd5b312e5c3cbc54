/** Shows a key's access: the models it can call, the rule that rejects each other model, and the remaining balance and limits. Makes no calls. */
import { useState } from 'react';
import type { KeyAccess as Access } from '../../../../../../contract/admin/explanations.ts';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Money, ShortName, ShortNames, State, TextWithTimes } from '../../../kit/values.tsx';
import { keys } from '../../../texts/keys.ts';
import { kit } from '../../../texts/kit.ts';
import { spendingCaps as capWords } from '../../../texts/spending-caps.ts';
import { useRead } from '../../api.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { useFailingModels } from '../../reads/failing-models.ts';

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
            <Models models={access.models} />
            <Facts lines={listLines(access)} />
          </>
        )}
      </Loaded>
    </section>
  );
}

const columns: readonly Column<ModelRow>[] = [
  { id: 'model', title: words.model, isMain: true, cell: ({ id }) => <ShortName of={id} /> },
  {
    id: 'reason',
    title: words.access,
    isMain: true,
    card: 'third',
    cell: ({ rule, reason }) => (
      <>
        <State tone="warn">
          <code>{rule}</code>
        </State>
        <p className="soft small">
          <TextWithTimes text={reason} />
        </p>
      </>
    ),
  },
];

function Models({ models }: { readonly models: readonly ModelRow[] }) {
  const [most, setMost] = useState(ROWS);
  const failingModels = useFailingModels();
  if (models.length === 0) return <Empty title={words.noModels} />;
  const allowed = models.filter((model) => model.allowed);
  const rejected = models.filter((model) => !model.allowed);
  const failing = allowed.filter(({ id }) => failingModels.has(id));
  return (
    <>
      <p className="soft" role="status">
        {words.allowedOf(allowed.length, models.length)}
      </p>
      {allowed.length > 0 && (
        <p>
          <ShortNames of={allowed.map(({ id }) => id)} />
        </p>
      )}
      {failing.length > 0 && (
        <State tone="bad">
          <span>
            {kit.failingNow}: <ShortNames of={failing.map(({ id }) => id)} />
          </span>
        </State>
      )}
      {rejected.length > 0 && (
        <Table
          caption={words.caption}
          columns={columns}
          rows={rejected.slice(0, most)}
          getRowId={({ id }) => id}
          onMore={rejected.length > most ? () => setMost(most + 10 * ROWS) : undefined}
        />
      )}
    </>
  );
}

function listLines({ group, spending_caps: caps, subscription, balance, limits }: Access): readonly FactLine[] {
  return [
    [words.group, group],
    // The caps of the key itself are shown with their use.
    ...caps
      .filter(({ scope }) => scope !== 'key')
      .map(
        (cap): FactLine => [
          words.capLeft(capWords.scopes[cap.scope], capWords.periods[cap.period]),
          <Money key="cap" amount={cap.left} isRounded />,
        ],
      ),
    ...(subscription === null ? [] : [[words.planLeft, <Money key="plan" amount={subscription.left} isRounded />] as const]),
    ...(balance === null ? [] : [[words.balance, <Money key="balance" amount={balance.available} isRounded />] as const]),
    ...limits.map((limit): FactLine => {
      const left = limit.remaining === null ? '–' : limit.remaining.toLocaleString();
      return [words.limitOf(limit.scope, limit.quantity), words.leftOf(left, limit.limit.toLocaleString())];
    }),
  ];
}
