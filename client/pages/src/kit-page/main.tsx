/** The kit page: every component of the kit in every state, for tests and for page authors. It isn't published. */
import { Frame } from '../kit/frame.tsx';
import type { PageDefinition } from '../kit/pages.ts';
import { SearchBox } from '../kit/search-box.tsx';
import { renderPages } from '../kit/start.tsx';
import { Actions } from './actions.tsx';
import { Charts } from './charts.tsx';
import { Fields } from './fields.tsx';
import { States } from './states.tsx';
import { Tables } from './tables.tsx';

const all = (
  <div className="stack wide">
    <h1>Kit</h1>
    <Charts />
    <Tables />
    <Actions />
    <Fields />
    <States />
  </div>
);

const base = { icon: 'overview', hasRange: true } as const;
const pages: readonly PageDefinition[] = [
  { ...base, path: '/', title: 'All parts', letter: 'a', order: 1, Page: () => all },
  { ...base, path: '/charts', title: 'Charts', icon: 'activity', letter: 'c', order: 2, Page: Charts },
  { ...base, path: '/tables', title: 'Tables', icon: 'requests', letter: 't', order: 3, Page: Tables },
  { ...base, path: '/actions', title: 'Dialogs and menus', icon: 'keys', letter: 'd', order: 4, Page: Actions },
  { ...base, path: '/fields', title: 'Forms', icon: 'settings', letter: 'f', order: 5, Page: Fields },
  { ...base, path: '/states', title: 'States', icon: 'limits', letter: 's', order: 6, Page: States },
  { ...base, path: '/broken', title: 'A page that fails', icon: 'warning', letter: 'x', order: 7, Page: Broken },
];

function Broken(): never {
  throw new Error('The code of this page failed.');
}

const hits = [
  { value: 'req_1aff03', hint: 'Request' },
  { value: 'research', hint: 'Account' },
];

renderPages(
  <Frame
    pages={pages}
    subtitle="Kit"
    who="ada"
    onSignOut={() => undefined}
    search={<SearchBox hits={hits} isSettled emptyText="No results" onType={() => undefined} onTake={() => undefined} />}
  />,
  '/docs/',
);
