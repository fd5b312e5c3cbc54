/** The frame of all pages: navigation on the left (a sheet on narrow screens), and search, range, theme, and user at the top. */
import { type ReactNode, Suspense, useContext, useEffect, useRef, useState } from 'react';
import { Link, Redirect, Route, Switch, useLocation, useSearchParams } from 'wouter';
import { applyZone, getZoneName, readZone, type Zone, zones } from '../data/times.ts';
import { kit } from '../texts/kit.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { HelpContext } from './help.ts';
import { Icon } from './icon.tsx';
import { useKeys } from './keyboard.ts';
import { Mark } from './mark.tsx';
import { Menu } from './menu.tsx';
import { NavigationSheet } from './navigation-sheet.tsx';
import { NotFound } from './not-found.tsx';
import type { PageDefinition } from './pages.ts';
import { RangePicker } from './range-picker.tsx';
import { ShortcutList } from './shortcut-list.tsx';
import { Loading } from './states.tsx';
import { applyTheme, readTheme, themes } from './theme.ts';
import { Toasts } from './toast.tsx';

export interface FrameProps {
  /** In navigation order. */
  readonly pages: readonly PageDefinition[];
  /** Shown below the product name: `Console`. */
  readonly subtitle: string;
  /** Name of the signed-in user. Null for a page without sign-in. */
  readonly who: string | null;
  readonly onSignOut: () => void;
  readonly search?: ReactNode;
}

export function Frame({ pages, subtitle, who, onSignOut, search }: FrameProps) {
  const help = useContext(HelpContext);
  const [isListOpen, setListOpen] = useState(false);
  const [zone, setZone] = useState(readZone);
  const [location, navigate] = useLocation();
  const [address] = useSearchParams();
  const current = pages.find(({ path }) => isBelow(location, path));
  const main = useRef<HTMLElement>(null);
  useKeys({
    '?': () => setListOpen(true),
    g: () => undefined,
    ...Object.fromEntries(pages.map(({ letter, path }) => [`g ${letter}`, () => navigate(path)])),
  });
  useArrival(main, current && !current.hasSubpages ? current.path : location, current?.title ?? kit.notFound);
  const navigation = <Navigation pages={pages} current={current} />;
  return (
    <div className="frame">
      {/* biome-ignore lint/a11y/useValidAnchor: a link to a fragment; the script only keeps the fragment out of the address. */}
      <a className="skip" href="#content" onClick={(event) => focusContent(event, main.current)}>
        {kit.skip}
      </a>
      <header className="frame-top">
        <NavigationSheet title={kit.product} path={location}>
          {navigation}
        </NavigationSheet>
        <p className="brand">
          <Mark />
          <strong>{kit.product}</strong> <span className="soft">{subtitle}</span>
        </p>
        <div className="frame-search">{search}</div>
        <div className="row frame-tools">
          {current && showsRange(current, location, address) && <RangePicker />}
          <ZoneMenu zone={zone} onChoose={setZone} />
          <ThemeMenu />
          <a className="button quiet frame-help" href={help} target="_blank" rel="noreferrer" aria-label={kit.help} title={kit.help}>
            <Icon name="help" />
          </a>
          {who !== null && <WhoMenu who={who} onSignOut={onSignOut} onShortcuts={() => setListOpen(true)} />}
        </div>
      </header>
      <div className="frame-side">{navigation}</div>
      <main ref={main} id="content" tabIndex={-1} className="frame-main">
        <ErrorBoundary key={`${zone} ${current?.path ?? location}`}>
          <Suspense fallback={<Loading rows={8} />}>
            <Switch>
              {pages.map(({ path, pattern, Page }) => (
                <Route key={path} path={pattern ?? path} component={Page} />
              ))}
              {location === '/' && pages[0] && <Redirect to={pages[0].path} replace />}
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      <Toasts />
      {isListOpen && <ShortcutList pages={pages} onClose={() => setListOpen(false)} />}
    </div>
  );
}

function showsRange({ path, hasRange = false, hasSubpages = false }: PageDefinition, location: string, search: URLSearchParams): boolean {
  if (hasSubpages && location !== path) return false;
  return typeof hasRange === 'function' ? hasRange(search) : hasRange;
}

/** Whether a URL belongs to a page or is below its path. `/` matches only the first page, because it would match every URL. */
const isBelow = (location: string, path: string): boolean => location === path || (path !== '/' && location.startsWith(`${path}/`));

function focusContent(event: { preventDefault(): void }, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

/** Sets the title of a new page, and moves the focus to its start, where a screen reader continues. */
function useArrival(main: { readonly current: HTMLElement | null }, path: string, title: string): void {
  const shown = useRef(path);
  useEffect(() => {
    document.title = `${title} · ${kit.product}`;
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus();
  }, [main, path, title]);
}

interface NavigationProps {
  readonly pages: readonly PageDefinition[];
  readonly current: PageDefinition | undefined;
}
function Navigation({ pages, current }: NavigationProps) {
  const [search] = useSearchParams();
  const range = search.get('range');
  return (
    <nav aria-label={kit.pages} className="navigation">
      <ul>
        {pages.map(({ path, title, icon, hasRange }) => (
          <li key={path}>
            <Link
              href={hasRange && range !== null ? `${path}?range=${encodeURIComponent(range)}` : path}
              aria-current={path === current?.path ? 'page' : undefined}
            >
              <Icon name={icon} />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ThemeMenu() {
  const [theme, setTheme] = useState(readTheme);
  const choices = themes.map((one) => ({
    label: kit.themes[one],
    isChosen: one === theme,
    onChoose: () => {
      applyTheme(one);
      setTheme(one);
    },
  }));
  return (
    <Menu label={kit.theme} choices={choices}>
      <Icon name="theme" />
    </Menu>
  );
}

interface ZoneProps {
  readonly zone: Zone;
  readonly onChoose: (zone: Zone) => void;
}
/** Shows the time zone of the page, and changes it. */
const ZoneMenu = ({ zone, onChoose }: ZoneProps) => (
  <Menu
    label={kit.zone(getZoneName(zone))}
    choices={zones.map((one) => ({
      label: kit.zones[one](getZoneName(one)),
      isChosen: one === zone,
      onChoose: () => {
        applyZone(one);
        onChoose(one);
      },
    }))}
  >
    <span className="small">{getZoneName(zone)}</span>
  </Menu>
);

interface WhoProps {
  readonly who: string;
  readonly onSignOut: () => void;
  readonly onShortcuts: () => void;
}
const WhoMenu = ({ who, onSignOut, onShortcuts }: WhoProps) => (
  <Menu
    label={kit.signedInAs(who)}
    choices={[
      { label: kit.shortcuts, icon: 'keyboard', onChoose: onShortcuts },
      { label: kit.signOut, icon: 'right', onChoose: onSignOut },
    ]}
  >
    <Icon name="person" />
    <span className="who-name">{who}</span>
  </Menu>
);
