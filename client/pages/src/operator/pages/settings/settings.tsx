/** Settings: the active configuration, checking and reloading the file, admin keys, and console sessions. */
import { createEnumField, useUrlState } from '../../../data/url-state.ts';
import { Tabs } from '../../../kit/tabs.tsx';
import { settings as words } from '../../../texts/settings.ts';
import { AdminKeys } from './admin-keys.tsx';
import { Reload } from './reload.tsx';
import { RunningSettings } from './running-settings.tsx';
import { Sessions } from './sessions.tsx';

const tabs = ['configuration', 'operators'] as const;
const fields = { tab: createEnumField(tabs, 'configuration') } as const;

export function Settings() {
  const [{ tab }] = useUrlState(fields);
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      <Tabs label={words.title} current={tab} tabs={tabs} titles={words.tabs} getHref={(next) => `/settings?tab=${next}`} />
      {tab === 'configuration' ? (
        <>
          <Reload />
          <RunningSettings />
        </>
      ) : (
        <>
          <AdminKeys />
          <Sessions />
        </>
      )}
    </section>
  );
}
