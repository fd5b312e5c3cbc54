/** Settings: reload of the configuration, keys of operators, sessions of the console. */
import { settings as words } from '../../../texts/settings.ts';
import { AdminKeys } from './admin-keys.tsx';
import { Reload } from './reload.tsx';
import { Sessions } from './sessions.tsx';

export const Settings = () => (
  <section className="stack wide">
    <div className="page-head">
      <h1>{words.title}</h1>
    </div>
    <Reload />
    <AdminKeys />
    <Sessions />
  </section>
);
