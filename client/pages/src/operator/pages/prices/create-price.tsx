/** The dialog that creates a price version, with an example call before and after. */
import { useState } from 'react';
import type { PriceVersion } from '../../../../../../contract/admin/rules.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Field, Form, SelectField, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { kit } from '../../../texts/kit.ts';
import { prices as words } from '../../../texts/prices.ts';
import { useChange } from '../../api.ts';
import { BeforeAfter, type Group } from './before-after.tsx';
import { findBadLine, kinds, optionalPrices, type PriceForm, type PriceKind, toForm, toPrices } from './price-form.ts';

export interface CreatePriceProps {
  readonly row: PriceVersion;
  readonly groups: readonly Group[];
  readonly onClose: () => void;
}
export function CreatePrice({ row, groups, onClose }: CreatePriceProps) {
  const [form, setForm] = useState(() => toForm(row.prices));
  const { mutate, isPending, error } = useChange('createPrice', ['listPrices', 'explainKey', 'listAudit']);
  const prices = toPrices(form);
  const body = { price_list: row.price_list, model: row.model, prices };
  const badLine = findBadLine(form);
  const onSuccess = ({ model, version }: PriceVersion) => {
    showToast(words.saved(model, version));
    onClose();
  };
  return (
    <Dialog title={words.createTitle(row.model)} onClose={onClose} isWide>
      <Form failure={error} onSubmit={() => badLine === undefined && mutate({ body }, { onSuccess })}>
        <p className="soft">{words.lead}</p>
        <PriceFields form={form} onChange={(change) => setForm((now) => ({ ...now, ...change }))} />
        {badLine !== undefined && <p className="complaint">{words.badLine(badLine)}</p>}
        <BeforeAfter groups={groups} before={row.prices} after={prices} />
        <SameAs method="POST" path="/admin/v1/prices" body={body} />
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isPending} refusal={badLine === undefined ? undefined : words.badLine(badLine)}>
            {words.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface PriceFieldsProps {
  readonly form: PriceForm;
  readonly onChange: (change: Partial<PriceForm>) => void;
}
function PriceFields({ form, onChange }: PriceFieldsProps) {
  return (
    <>
      <SelectField
        label={words.kind}
        name="prices"
        value={form.kind}
        // `as`: the options are the kinds.
        onChange={(kind) => onChange({ kind: kind as PriceKind })}
        options={kinds.map((value) => ({ value, label: words.kinds[value] }))}
      />
      {form.kind === 'tokens' && <TokenFields form={form} onChange={onChange} />}
      {form.kind === 'images' && (
        <Lines
          label={words.images}
          name="prices.images"
          hint={words.imagesHint}
          value={form.images}
          onChange={(images) => onChange({ images })}
        />
      )}
      {form.kind === 'free' && <p className="notice">{words.freeHint}</p>}
    </>
  );
}

const required = ['input', 'output'] as const;

function getHint(name: string): string {
  if (name.startsWith('cache_write_')) return words.likeCacheWrite;
  return name.endsWith('output') ? words.likeOutput : words.likeInput;
}

function TokenFields({ form, onChange }: PriceFieldsProps) {
  const renderField = (name: (typeof required | typeof optionalPrices)[number], isRequired: boolean) => (
    <TextField
      key={name}
      label={words.fields[name]}
      name={`prices.${name}`}
      inputMode="decimal"
      isRequired={isRequired}
      {...(!isRequired && { hint: getHint(name) })}
      value={form[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <>
      <div className="field-row">
        {required.map((name) => renderField(name, true))}
        {optionalPrices.map((name) => renderField(name, false))}
      </div>
      <Lines
        label={words.longContext}
        name="prices.long_context"
        hint={words.longContextHint}
        value={form.long_context}
        onChange={(long) => onChange({ long_context: long })}
      />
      <Lines
        label={words.serviceTiers}
        name="prices.service_tiers"
        hint={words.serviceTiersHint}
        value={form.service_tiers}
        onChange={(tiers) => onChange({ service_tiers: tiers })}
      />
      <Lines label={words.tools} name="prices.tools" hint={words.toolsHint} value={form.tools} onChange={(tools) => onChange({ tools })} />
    </>
  );
}

interface LinesProps {
  readonly label: string;
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}
const Lines = ({ label, name, hint, value, onChange }: LinesProps) => (
  <Field label={label} name={name} hint={hint}>
    {({ id, describedBy, isInvalid }) => (
      <textarea
        id={id}
        name={name}
        className="input"
        rows={3}
        spellCheck={false}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);
