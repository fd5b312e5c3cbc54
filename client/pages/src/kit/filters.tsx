/** Filters of a list: what is set stands as buttons that take it away again, and one dialog sets them all. */
import { useState } from 'react';
import { filterTexts } from '../texts/filters.ts';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import type { Suggestion } from './combobox.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { ComboboxField, Form, type Option, SelectField } from './form.tsx';
import { Icon } from './icon.tsx';

export interface Filter {
  /** Its field of the address. */
  readonly name: string;
  readonly label: string;
  /** Empty: it is not set. */
  readonly value: string;
  /** What is shown for the value, where that is an id. */
  readonly shown?: string;
  /** One of these; absent where anything can be typed. */
  readonly options?: readonly Option[];
  readonly suggestions?: readonly Suggestion[];
  readonly hint?: string;
}
export interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

export function Filters({ filters, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="row">
      {filters
        .filter(({ value }) => value !== '')
        .map(({ name, label, value, shown, options }) => {
          const word = shown ?? options?.find((option) => option.value === value)?.label ?? value;
          return (
            <button
              key={name}
              type="button"
              className="button chip"
              aria-label={filterTexts.remove(label, word)}
              onClick={() => onChange({ [name]: '' })}
            >
              <span className="soft">{label}</span> {word} <Icon name="close" />
            </button>
          );
        })}
      <Button icon="plus" onClick={() => setOpen(true)}>
        {filterTexts.add}
      </Button>
      {isOpen && <FilterDialog filters={filters} onChange={onChange} onClose={() => setOpen(false)} />}
    </div>
  );
}

function FilterDialog({ filters, onChange, onClose }: FiltersProps & { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(filters.map(({ name, value }) => [name, value])),
  );
  const set = (name: string, value: string) => setDraft((now) => ({ ...now, [name]: value }));
  const apply = () => {
    onChange(Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, value.trim()])));
    onClose();
  };
  return (
    <Dialog title={filterTexts.title} onClose={onClose}>
      <Form failure={null} onSubmit={apply}>
        {filters.map(({ name, label, options, suggestions = [], hint }) => {
          const shared = {
            label,
            name,
            value: draft[name] ?? '',
            onChange: (value: string) => set(name, value),
            ...(hint !== undefined && { hint }),
          };
          return options ? (
            <SelectField key={name} {...shared} options={[{ value: '', label: filterTexts.any }, ...options]} />
          ) : (
            <ComboboxField key={name} {...shared} suggestions={suggestions} />
          );
        })}
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary">
            {kit.apply}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
