/** One upstream beside the list: its models as each process sees them, a test call, waking, and the ways to what it did. */
import { Button, ButtonLink, IconButton } from '../../../kit/button.tsx';
import { useKeys } from '../../../kit/keyboard.ts';
import { SameAs } from '../../../kit/same-as.tsx';
import { Failed } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { State, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { upstreams as words } from '../../../texts/upstreams.ts';
import { useChange } from '../../api.ts';
import { Facts } from '../../parts/facts.tsx';
import { requestsPath } from '../../reads/links.ts';
import { useRefusal } from '../../reads/role.ts';
import { Keys, Kind, Slots } from './columns.tsx';
import { TestCall } from './test-call.tsx';
import { lastFailureOf, type Place, placeState, stateOf, type Upstream, type UpstreamNode } from './upstream-state.ts';

export interface UpstreamPanelProps {
  readonly upstream: Upstream;
  readonly range: string;
  readonly onClose: () => void;
}

export function UpstreamPanel({ upstream, range, onClose }: UpstreamPanelProps) {
  useKeys({ Escape: onClose });
  const { name, nodes } = upstream;
  const { tone, text } = stateOf(upstream);
  const failure = lastFailureOf(upstream);
  return (
    <aside className="panel card" aria-label={name}>
      <div className="row apart">
        <h2>{name}</h2>
        <IconButton label={kit.close} icon="close" onClick={onClose} />
      </div>
      <div className="row apart">
        <State tone={tone}>{text}</State>
        <Reset name={name} />
      </div>
      <p className="row">
        <ButtonLink href={`/activity?${new URLSearchParams({ range, upstream: name })}`}>{words.activity}</ButtonLink>
        <ButtonLink href={requestsPath({ range, upstream: name })}>{words.requests}</ButtonLink>
      </p>
      <Facts
        lines={[
          [words.columns.kind, <Kind key="kind" of={upstream} />],
          [words.columns.keys, <Keys key="keys" of={upstream} />],
          [words.columns.slots, <Slots key="slots" of={upstream} />],
          ...(failure ? [[words.lastFailure, <LastFailure key="failure" of={failure} />] as const] : []),
        ]}
      />
      {nodes.length === 0 && <p className="soft">{words.noGateway}</p>}
      {nodes.map((node) => (
        <Places key={node.node} node={node} isOnly={nodes.length === 1} />
      ))}
      <TestCall upstream={upstream} />
      <SameAs method="POST" path={`/admin/v1/upstreams/${encodeURIComponent(name)}/test`} body={{}} command={['upstream', 'test', name]} />
    </aside>
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

function LastFailure({ of: { at, status, code, message } }: { readonly of: NonNullable<UpstreamNode['last_failure']> }) {
  return (
    <span>
      <Time at={at} format="ago" /> · {[status, code].filter((part) => part !== null).join(' ')}
      {message !== null && <q className="wrapped">{message}</q>}
    </span>
  );
}

const { modelColumns: titles } = words;
const columns: readonly Column<Place>[] = [
  { id: 'model', title: titles.model, isMain: true, cell: ({ upstream_model }) => <code className="wrapped">{upstream_model}</code> },
  { id: 'serves', title: titles.serves, isMain: true, cell: ({ models }) => models.join(', ') },
  { id: 'state', title: titles.state, isMain: true, cell: (place) => <PlaceState place={place} /> },
];

function PlaceState({ place }: { readonly place: Place }) {
  const { tone, text } = placeState(place);
  return <State tone={tone}>{text}</State>;
}

function Places({ node: { node, places }, isOnly }: { readonly node: UpstreamNode; readonly isOnly: boolean }) {
  return (
    <section className="stack" aria-label={words.modelsSeenBy(node)}>
      <h3>{isOnly ? words.models : words.processNamed(node)}</h3>
      {places.length === 0 ? (
        <p className="soft">{words.noModels}</p>
      ) : (
        <Table caption={words.modelsSeenBy(node)} columns={columns} rows={places} idOf={({ upstream_model }) => upstream_model} />
      )}
    </section>
  );
}
