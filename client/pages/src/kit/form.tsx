/** Forms: labeled fields, and a server error at the field that its `param` names. Input is kept after an error. */
import { createContext, type InputHTMLAttributes, type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import type { Failure } from '../data/failure.ts';
import { kit } from '../texts/kit.ts';
import { Combobox, type Suggestion } from './combobox.tsx';
import { Failed } from './states.tsx';
import { TextWithCode } from './values.tsx';

const FailureContext = createContext<Failure | null>(null);

export interface FormProps {
  readonly onSubmit: () => void;
  /** The failure of the last call. Its message is shown at the field of its `param`, or above the form if no field matches. */
  readonly failure: Failure | null;
  /** Title of the message. Defaults to one for changes. Null to omit it. */
  readonly failureTitle?: string | null;
  readonly children: ReactNode;
}

/** Submitted only by script, because the content security policy forbids form actions. */
export function Form({ onSubmit, failure, failureTitle = kit.notSaved, children }: FormProps) {
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [failure]);
  const isAtField = failure?.param !== null && failure?.param !== undefined;
  return (
    <FailureContext value={failure}>
      <form
        ref={ref}
        className="form"
        noValidate={false}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {failure && !isAtField && <Failed failure={failure} title={failureTitle} />}
        {children}
        {failure && isAtField && <UnplacedFailure failure={failure} title={failureTitle} />}
      </form>
    </FailureContext>
  );
}

/** For a `param` without a field. CSS hides it as soon as a field shows the message. */
const UnplacedFailure = (props: { readonly failure: Failure; readonly title: string | null }) => (
  <div className="unplaced">
    <Failed {...props} />
  </div>
);

export interface FieldProps {
  readonly label: string;
  /** Path in the body, like an error's `param`: `spending_caps[0].amount`. */
  readonly name: string;
  readonly hint?: ReactNode;
  /** Marks it. CSS hides the marks of a form that requires all its fields. */
  readonly isRequired?: boolean | undefined;
}
interface FieldWiring {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

/** A label, its control, a hint, and an error, connected for screen readers. */
export function Field({
  label,
  name,
  hint,
  isRequired = false,
  children,
}: FieldProps & { readonly children: (wiring: FieldWiring) => ReactNode }) {
  const id = useId();
  const complaint = findError(useContext(FailureContext), name);
  const parts = [hint !== undefined && `${id}-hint`, complaint !== undefined && `${id}-error`].filter((part) => part !== false);
  return (
    <div className="field">
      <label htmlFor={id} data-mark={isRequired ? kit.required : undefined}>
        {label}
      </label>
      {children({ id, describedBy: parts.length > 0 ? parts.join(' ') : undefined, isInvalid: complaint !== undefined })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="soft small">
          {typeof hint === 'string' ? <TextWithCode text={hint} /> : hint}
        </p>
      )}
      {complaint !== undefined && (
        <p id={`${id}-error`} className="complaint" role="alert">
          {complaint}
        </p>
      )}
    </div>
  );
}

/** An error in a part of the field, such as `models[2]`, belongs to the field. */
function findError(failure: Failure | null, name: string): string | undefined {
  const param = failure?.param;
  const isHere = param === name || param?.startsWith(`${name}.`) || param?.startsWith(`${name}[`);
  return isHere ? failure?.message : undefined;
}

interface ValueProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}
type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'maxLength' | 'minLength' | 'pattern' | 'inputMode' | 'placeholder' | 'autoComplete' | 'min' | 'max' | 'step'
>;

/** A single-line text field. `type` is for passwords, dates, and numbers. On focus, a number is selected, so that typing replaces it. */
export function TextField({ label, name, hint, isRequired, value, onChange, ...passed }: ValueProps & InputProps) {
  const isNumber = passed.type === 'number' || passed.inputMode === 'decimal';
  return (
    <Field label={label} name={name} hint={hint} isRequired={isRequired}>
      {({ id, describedBy, isInvalid }) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...passed}
          id={id}
          name={name}
          className="input"
          required={isRequired}
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          value={value}
          onFocus={isNumber ? ({ target }) => target.select() : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

export function ComboboxField({ label, name, hint, isRequired, ...rest }: ValueProps & { readonly suggestions: readonly Suggestion[] }) {
  return (
    <Field label={label} name={name} hint={hint} isRequired={isRequired}>
      {(wiring) => <Combobox {...rest} {...wiring} name={name} isRequired={isRequired} />}
    </Field>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}
export function SelectField({
  label,
  name,
  hint,
  value,
  onChange,
  options,
}: Omit<ValueProps, 'isRequired'> & { readonly options: readonly Option[] }) {
  return (
    <Field label={label} name={name} hint={hint}>
      {({ id, describedBy, isInvalid }) => (
        <select
          id={id}
          name={name}
          className="input"
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface CheckFieldProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly hint?: string;
}
export const CheckField = ({ label, isChecked, onChange, hint }: CheckFieldProps) => (
  <label className="check">
    <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
    <span>
      {label}
      {hint !== undefined && <span className="soft small"> {hint}</span>}
    </span>
  </label>
);
