/** Settings: check and reload of the configuration, what runs, keys of operators, sessions of the console. */
import { settings as words } from '../../../texts/settings.ts';
import { AdminKeys } from './admin-keys.tsx';
import { Reload } from './reload.tsx';
import { RunningSettings } from './running-settings.tsx';
import { Sessions } from './sessions.tsx';

export const Settings = () => (
  <section className="stack wide">
    <div className="page-head">
      <h1>{words.title}</h1>
    </div>
    <Reload />
    <RunningSettings />
    <AdminKeys />
    <Sessions />
  </section>
);
