/** Checks whether the provider lists its models with each key in use. It's free. */
import type { UpstreamKeyCheck } from '../../../../../../contract/admin/upstreams.ts';
import { Button } from '../../../kit/button.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Failed } from '../../../kit/states.tsx';
import { LastFour, State, type Tone } from '../../../kit/values.tsx';
import { upstreams } from '../../../texts/upstreams.ts';
import { useChange } from '../../api.ts';
import { useRefusal } from '../../reads/role.ts';
import { listKeys, type Upstream } from './upstream-state.ts';

const words = upstreams.keyCheck;
type CheckedKey = UpstreamKeyCheck['keys'][number];
const tones: Readonly<Record<CheckedKey['state'], Tone>> = { ok: 'good', warning: 'warn', fault: 'bad', skipped: 'neutral' };

export function KeyCheck({ upstream }: { readonly upstream: Upstream }) {
  const refusal = useRefusal('admin');
  const { mutate, isPending, data, error } = useChange('checkUpstreamKeys', []);
  return (
    <>
      <p className="row">
        <Button isBusy={isPending} refusal={refusal} title={words.hint} onClick={() => mutate({ params: { upstream: upstream.name } })}>
          {words.button(listKeys(upstream).length)}
        </Button>
        <a href="/admin/docs/guides/provider-keys">{words.rotate}</a>
      </p>
      {error && <Failed failure={error} title={words.notChecked} />}
      <div role="status">
        {data && (
          <ul className="plain-list stack">
            {data.keys.map((key, index) => (
              <li key={index}>
                <Outcome of={key} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <SameAs
        method="POST"
        path={`/admin/v1/upstreams/${encodeURIComponent(upstream.name)}/check-keys`}
        command={['upstream', 'check-keys', upstream.name]}
      />
    </>
  );
}

const Outcome = ({ of: { last_four, state, message, hint } }: { readonly of: CheckedKey }) => (
  <>
    <span className="row">
      {last_four && <LastFour of={last_four} />}
      <State tone={tones[state]}>{words.states[state]}</State>
    </span>
    <span className="soft small wrapped">{hint === null ? message : `${message}. ${hint}`}</span>
  </>
);
