/** Checks the configuration file, and reloads exactly the checked file. */
import type { ConfigCheck, ConfigReload, RejectedReload } from '../../../../../../contract/admin/configuration.ts';
import type { Failure } from '../../../data/failure.ts';
import { Button } from '../../../kit/button.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Failed } from '../../../kit/states.tsx';
import { settings } from '../../../texts/settings.ts';
import { useChange, useRead } from '../../api.ts';
import { CheckResult, Problems } from '../../parts/check-result.tsx';

const words = settings.reload;

const readAnew = ['getConfig', 'listGroups', 'getLimits', 'listPrices', 'listModels', 'listUpstreams', 'listAudit'] as const;

export function Reload() {
  const role = useRead('getSession').data?.role;
  const check = useChange('checkConfig');
  const reload = useChange('reloadConfig', readAnew);
  const lacking = role === 'admin' || role === undefined ? undefined : words.needsAdmin;
  const digest = check.data?.digest ?? undefined;
  const recheck = () => {
    reload.reset();
    check.mutate({});
  };
  // After a reload or another change of the file, the earlier check is no longer valid.
  const applyReload = () => reload.mutate({ body: { ...(digest !== undefined && { digest }) } }, { onSettled: () => check.reset() });
  return (
    <section className="card stack" aria-label={words.title}>
      <div className="row apart">
        <h2>{words.title}</h2>
        <div className="row">
          <Button isBusy={check.isPending} refusal={lacking} onClick={recheck}>
            {words.check}
          </Button>
          <Button kind="primary" isBusy={reload.isPending} refusal={lacking ?? findRefusal(check.data)} onClick={applyReload}>
            {words.reload}
          </Button>
        </div>
      </div>
      <p className="soft">{words.lead}</p>
      {check.error && <Failed failure={check.error} title={words.notChecked} />}
      <div role="status" className="stack">
        {check.data && <CheckResult of={check.data} />}
        {reload.data && <p className="notice">{isEmpty(reload.data) ? words.noChanges : words.reloaded}</p>}
      </div>
      {reload.error && <Rejected failure={reload.error} />}
      <SameAs
        method="POST"
        path="/admin/v1/config/reload"
        body={{ ...(digest !== undefined && { digest }) }}
        command={['config', 'reload', ...(digest === undefined ? [] : ['--digest', digest]), '--url', location.origin]}
      />
    </section>
  );
}

/** Why the file can't be reloaded yet. */
function findRefusal(checked: ConfigCheck | undefined): string | undefined {
  if (checked === undefined) return words.checkFirst;
  if (checked.problems.length > 0) return words.hasProblems;
  if (checked.needs_restart.length > 0) return words.hasRestarts;
  return isEmpty(checked) ? words.isSame : undefined;
}

const isEmpty = ({ added, removed, changed }: Pick<ConfigReload | ConfigCheck, 'added' | 'removed' | 'changed'>): boolean =>
  added.length + removed.length + changed.length === 0;

function Rejected({ failure }: { readonly failure: Failure }) {
  // `as`: the contract defines these fields for a rejected reload, and missing ones are handled.
  const problems = (failure.body as Partial<RejectedReload> | undefined)?.problems ?? [];
  return (
    <>
      <Failed failure={failure} title={words.rejected} />
      {problems.some(({ key }) => key !== '') && <Problems title={words.problems} problems={problems} />}
    </>
  );
}
