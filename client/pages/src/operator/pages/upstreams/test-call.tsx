/** A test call: one short, real call to an upstream, and its result. */
import { useState } from 'react';
import type { UpstreamTest } from '../../../../../../contract/admin/upstreams.ts';
import { formatDuration } from '../../../data/times.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { Form, SelectField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Failed } from '../../../kit/states.tsx';
import { Money, State } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { upstreams } from '../../../texts/upstreams.ts';
import { useChange } from '../../api.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { useRefusal } from '../../reads/role.ts';
import { findDownModel, type Upstream } from './upstream-state.ts';

const words = upstreams.test;

export function TestCall({ upstream }: { readonly upstream: Upstream }) {
  const { name, nodes } = upstream;
  const [model, setModel] = useState(() => findDownModel(upstream) ?? '');
  const refusal = useRefusal('admin');
  const { mutate, isPending, data, error } = useChange('testUpstream', ['listUpstreams', 'getOverview']);
  const served = [...new Set(nodes.flatMap(({ places }) => places.flatMap(({ models }) => models)))];
  const run = () => {
    if (refusal === undefined && !isPending) mutate({ params: { upstream: name }, body: model === '' ? {} : { model } });
  };
  return (
    <section className="card stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="soft small">{words.lead}</p>
      <Form failure={error?.param === 'model' ? error : null} onSubmit={run}>
        <SelectField
          label={words.model}
          name="model"
          value={model}
          onChange={setModel}
          options={[{ value: '', label: words.firstModel }, ...served.map((id) => ({ value: id, label: id }))]}
        />
        <p>
          <Button type="submit" kind="primary" isBusy={isPending} refusal={refusal}>
            {words.button}
          </Button>
        </p>
      </Form>
      {error && error.param !== 'model' && <Failed failure={error} title={words.notMade} />}
      {data && <Outcome of={data} />}
      <SameAs method="POST" path={`/admin/v1/upstreams/${encodeURIComponent(name)}/test`} body={{}} command={['upstream', 'test', name]} />
    </section>
  );
}

function Outcome({ of }: { readonly of: UpstreamTest }) {
  return (
    <>
      <p role="status">
        <State tone={of.ok ? 'good' : 'bad'}>{of.ok ? words.passed(of.model) : words.failed(of.model)}</State>
      </p>
      <Facts lines={listLines(of)} />
    </>
  );
}

function listLines({
  status,
  code,
  message,
  provider_code,
  provider_message,
  headers_ms,
  total_ms,
  input_tokens,
  output_tokens,
  provider_cost,
}: UpstreamTest): readonly FactLine[] {
  const formatCount = (tokens: number | null): string => tokens?.toLocaleString() ?? kit.none;
  return [
    [words.status, status ?? words.noResponse],
    ...(code === null ? [] : [[words.code, <ErrorCode key="code" code={code} />] as const]),
    ...(message === null ? [] : [[words.message, message] as const]),
    ...(provider_code === null ? [] : [[words.providerCode, <code key="provider">{provider_code}</code>] as const]),
    ...(provider_message === null ? [] : [[words.providerMessage, provider_message] as const]),
    [words.firstByte, headers_ms === null ? kit.none : formatDuration(headers_ms)],
    [words.total, formatDuration(total_ms)],
    [words.tokens, `${formatCount(input_tokens)} / ${formatCount(output_tokens)}`],
    [words.cost, <Money key="cost" amount={provider_cost} />],
  ];
}
