/** The list that `?` opens: all shortcuts, and the switch that turns single letters off. */
import { kit } from '../texts/kit.ts';
import { Dialog } from './dialog.tsx';
import { CheckField } from './form.tsx';
import { setSingleKeys, useSingleKeys } from './keyboard.ts';
import type { PageDefinition } from './pages.ts';

const names = kit.shortcutNames;
const fixed: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/', 'Ctrl K'], names.search],
  [['?'], names.help],
  [['j'], names.nextRow],
  [['k'], names.previousRow],
  [['Enter'], names.open],
  [['Esc'], names.escape],
  [['←', '→'], names.chartMove],
  [['Enter'], names.chartOpen],
  [['Shift', '→'], names.chartZoom],
  [['t'], names.chartTable],
];

export function ShortcutList({ pages, onClose }: { readonly pages: readonly PageDefinition[]; readonly onClose: () => void }) {
  const isOn = useSingleKeys();
  const rows = [...pages.map(({ letter, title }) => [['g', letter], kit.goTo(title)] as const), ...fixed];
  return (
    <Dialog title={kit.shortcuts} onClose={onClose}>
      <dl className="shortcuts">
        {rows.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <CheckField label={kit.singleKeys} isChecked={isOn} onChange={setSingleKeys} />
    </Dialog>
  );
}
