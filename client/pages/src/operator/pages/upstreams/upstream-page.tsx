/** The status page of an upstream: its last day, models and keys that are cooling down, the last failure, and a test call. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Failed } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { ShortName, ShortNames, State, Time } from '../../../kit/values.tsx';
import { configText } from '../../../texts/config-text.ts';
import { kit } from '../../../texts/kit.ts';
import { upstreams as words } from '../../../texts/upstreams.ts';
import { useChange } from '../../api.ts';
import { EditConfig } from '../../parts/edit-config.tsx';
import { Facts } from '../../parts/facts.tsx';
import { requestsPath } from '../../reads/links.ts';
import { useRefusal } from '../../reads/role.ts';
import { Health, Keys, Kind, Slots } from './columns.tsx';
import { KeyCheck } from './key-check.tsx';
import { LastDay } from './last-day.tsx';
import { TestCall } from './test-call.tsx';
import {
  findLastFailure,
  findLoadedAt,
  getModelState,
  getState,
  type Upstream,
  type UpstreamModel,
  type UpstreamNode,
} from './upstream-state.ts';

export function UpstreamPage({ upstream }: { readonly upstream: Upstream }) {
  const { name, nodes } = upstream;
  const failure = findLastFailure(upstream);
  return (
    <article className="stack wide" aria-label={name}>
      <div className="page-head">
        <h1>{name}</h1>
        <div className="row">
          <ButtonLink href={`/activity?${new URLSearchParams({ upstream: name })}`}>{words.activity}</ButtonLink>
          <ButtonLink href={requestsPath({ upstream: name })}>{words.requests}</ButtonLink>
          <Edit name={name} />
          <Reset name={name} />
        </div>
      </div>
      <Health of={upstream} />
      {failure && <LastFailure of={failure} isNow={getState(upstream).tone === 'bad'} />}
      <LastDay name={name} />
      <div className="columns">
        <div className="stack wide">
          {nodes.length === 0 && <p className="soft">{words.noGateway}</p>}
          {nodes.map((node) => (
            <UpstreamModels key={node.node} node={node} isOnly={nodes.length === 1} />
          ))}
          <TestCall upstream={upstream} />
        </div>
        <div className="stack wide">
          <section className="card stack" aria-label={words.configuration}>
            <h2>{words.configuration}</h2>
            <Facts
              lines={[
                [words.columns.kind, <Kind key="kind" of={upstream} />],
                [words.columns.keys, <Keys key="keys" of={upstream} />],
                [words.columns.slots, <Slots key="slots" of={upstream} />],
                [words.loaded, <Time key="loaded" at={findLoadedAt(upstream)} />],
              ]}
            />
            {upstream.kind !== 'simulator' && <KeyCheck upstream={upstream} />}
          </section>
        </div>
      </div>
    </article>
  );
}

function Edit({ name }: { readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const onRemove = () => navigate('/upstreams');
  return (
    <>
      <Button onClick={() => setOpen(true)}>{configText.edit}…</Button>
      {isOpen && <EditConfig section="upstreams" name={name} onClose={() => setOpen(false)} onRemove={onRemove} />}
    </>
  );
}

function Reset({ name }: { readonly name: string }) {
  const refusal = useRefusal('admin');
  const { mutate, isPending, error } = useChange('resetUpstream', ['listUpstreams', 'getOverview']);
  const reset = () =>
    mutate({ params: { upstream: name } }, { onSuccess: ({ places, keys }) => showToast(words.resetDone(name, places, keys)) });
  return (
    <>
      <Button refusal={refusal} isBusy={isPending} title={words.resetHint} onClick={reset}>
        {words.reset}
      </Button>
      {error && <Failed failure={error} title={kit.notSaved} />}
    </>
  );
}

interface LastFailureProps {
  readonly of: NonNullable<UpstreamNode['last_failure']>;
  /** Whether calls fail now. */
  readonly isNow: boolean;
}
function LastFailure({ of: { at, status, code, message }, isNow }: LastFailureProps) {
  return (
    <section className={isNow ? 'failed' : 'failed past'} aria-label={words.lastFailure}>
      <Icon name="warning" />
      <div>
        <p>
          <strong>{words.lastFailure}</strong> · <Time at={at} format="ago" /> ·{' '}
          <code>{[status, code].filter((part) => part !== null).join(' ')}</code>
        </p>
        {message !== null && <q className="wrapped">{message}</q>}
      </div>
    </section>
  );
}

const { modelColumns: titles } = words;
const columns: readonly Column<UpstreamModel>[] = [
  {
    id: 'model',
    title: titles.model,
    isMain: true,
    cell: ({ upstream_model }) => (
      <code>
        <ShortName of={upstream_model} />
      </code>
    ),
  },
  { id: 'serves', title: titles.serves, isMain: true, cell: ({ models }) => <ShortNames of={models} /> },
  { id: 'state', title: titles.state, isMain: true, card: 'second', cell: (place) => <ModelState place={place} /> },
];

function ModelState({ place }: { readonly place: UpstreamModel }) {
  const { tone, text } = getModelState(place);
  return <State tone={tone}>{text}</State>;
}

interface PlacesProps {
  readonly node: UpstreamNode;
  readonly isOnly: boolean;
}
function UpstreamModels({ node: { node, places }, isOnly }: PlacesProps) {
  return (
    <section className="stack" aria-label={words.modelsSeenBy(node)}>
      <h2>{isOnly ? words.models : words.processNamed(node)}</h2>
      {places.length === 0 ? (
        <p className="soft">{words.noModels}</p>
      ) : (
        <Table caption={words.modelsSeenBy(node)} columns={columns} rows={places} getRowId={({ upstream_model }) => upstream_model} />
      )}
    </section>
  );
}
