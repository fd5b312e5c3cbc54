/** Form fields for the three limits, each with its mode. */
import { SelectField, TextField } from '../../kit/form.tsx';
import { limits as words } from '../../texts/limits.ts';
import { modes, quantities, type TypedLimit, type TypedLimits } from './limits.ts';

export interface LimitFieldsProps {
  readonly value: TypedLimits;
  readonly onChange: (value: TypedLimits) => void;
}
export function LimitFields({ value, onChange }: LimitFieldsProps) {
  return (
    <fieldset className="fields">
      <legend>{words.fields}</legend>
      <p className="soft small">{words.fieldsHint}</p>
      {quantities.map((name) => {
        const set = (change: Partial<TypedLimit>) => onChange({ ...value, [name]: { ...value[name], ...change } });
        return (
          <div key={name} className="field-row">
            <TextField
              label={words.names[name]}
              name={`limits.${name}`}
              type="number"
              min={1}
              max={10_000_000_000}
              value={value[name].limit}
              onChange={(limit) => set({ limit })}
            />
            <SelectField
              label={words.modeFor(words.names[name])}
              name={`limits.${name}.mode`}
              value={value[name].mode}
              // `as`: the options are the modes.
              onChange={(mode) => set({ mode: mode as TypedLimit['mode'] })}
              options={modes.map((mode) => ({ value: mode, label: words.modes[mode] }))}
            />
          </div>
        );
      })}
    </fieldset>
  );
}
