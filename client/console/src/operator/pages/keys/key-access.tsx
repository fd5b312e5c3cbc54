/** What a key may do with a model now, which rule decides, and what it costs. It makes no call. */
import type { Explanation } from '../../../../../../contract/admin/explanations.ts';
import { text, useUrlState } from '../../../data/url-state.ts';
import { SelectField } from '../../../kit/form.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { Money, State } from '../../../kit/values.tsx';
import { keys } from '../../../texts/keys.ts';
import { useRead } from '../../api.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';

const words = keys.access;
/** `model`: what the open key is asked about. */
const fields = { model: text } as const;

export function KeyAccess({ keyId }: { readonly keyId: string }) {
  const [{ model }, set] = useUrlState(fields);
  const groups = useRead('listGroups');
  const models = [...new Set(groups.data?.data.flatMap((group) => group.models))];
  return (
    <section className="stack" aria-label={words.title}>
      <h3>{words.title}</h3>
      <SelectField
        label={words.model}
        name="model"
        value={model}
        onChange={(next) => set({ model: next })}
        options={['', ...models].map((id) => ({ value: id, label: id }))}
      />
      {model === '' ? <p className="soft">{words.choose}</p> : <Explained key={`${keyId} ${model}`} keyId={keyId} model={model} />}
    </section>
  );
}

/** One for each key and model: an earlier verdict must not stand for another model. */
function Explained({ keyId, model }: { readonly keyId: string; readonly model: string }) {
  const explanation = useRead('explain', { body: { key: keyId, model } });
  return (
    <Loaded of={explanation} rows={3}>
      {(told) => <Verdict told={told} />}
    </Loaded>
  );
}

function Verdict({ told }: { readonly told: Explanation }) {
  return (
    <>
      <p role="status">
        <State tone={told.allowed ? 'good' : 'bad'}>{told.allowed ? words.allowed : words.refused}</State> {told.reason}
      </p>
      <Facts lines={linesOf(told)} />
    </>
  );
}

function linesOf({ rule, code, group, operations, price, spending_cap, subscription, balance, limits }: Explanation): readonly FactLine[] {
  return [
    ...(rule === null ? [] : [[words.rule, <code key="rule">{rule}</code>] as const]),
    ...(code === null ? [] : [[words.code, <code key="code">{code}</code>] as const]),
    [words.group, group],
    [words.operations, operations.length === 0 ? words.none : operations.join(', ')],
    ...(price === null ? [] : [[words.prices, <Prices key="prices" effective={price.effective} />] as const]),
    ...(spending_cap === null ? [] : [[words.capLeft, <Money key="cap" amount={spending_cap.left} />] as const]),
    ...(subscription === null ? [] : [[words.plan, <Money key="plan" amount={subscription.left} />] as const]),
    ...(balance === null ? [] : [[words.balance, <Money key="balance" amount={balance.available} />] as const]),
    ...limits.map((limit): FactLine => {
      const left = limit.remaining === null ? '–' : limit.remaining.toLocaleString();
      return [words.limitOf(limit.scope, limit.quantity), words.leftOf(left, limit.limit.toLocaleString())];
    }),
  ];
}

/** Prices per million tokens, or of a picture or call. */
const Prices = ({ effective }: { readonly effective: Readonly<Record<string, string>> }) => (
  <ul className="plain-list">
    {Object.entries(effective).map(([name, dollars]) => (
      <li key={name}>
        <Money amount={dollars} />
        {name in words.unit ? `${words.perMillion} ` : ' '}
        {/* `as`: it was just looked up. */}
        {name in words.unit ? words.unit[name as keyof typeof words.unit] : name}
      </li>
    ))}
  </ul>
);
