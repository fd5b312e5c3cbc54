/** Forms on the kit page: each field, hints, and a server error at its field. */
import { useState } from 'react';
import { Failure } from '../data/failure.ts';
import { Button } from '../kit/button.tsx';
import { CheckField, ComboboxField, Form, SelectField, TextField } from '../kit/form.tsx';
import { SameAs } from '../kit/same-as.tsx';

const complaint = new Failure({
  status: 400,
  code: 'invalid_value',
  message: 'Enter an amount in dollars, for example 12.50.',
  param: 'opening_balance',
  requestId: 'req_1aff03c2',
  retryAfterSeconds: null,
});
const accounts = [
  { value: 'research', hint: 'vip' },
  { value: 'trial-7', hint: 'trial' },
  { value: 'support', hint: 'default' },
];

export function Fields() {
  const [account, setAccount] = useState('research');
  const [name, setName] = useState('ci');
  const [amount, setAmount] = useState('ten');
  const [period, setPeriod] = useState('month');
  const [isStored, setStored] = useState(true);
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <section className="card stack" aria-label="Forms">
      <h2>A form</h2>
      <Form failure={failure} onSubmit={() => setFailure(complaint)}>
        <div className="field-row">
          <ComboboxField label="Account" name="account" isRequired value={account} onChange={setAccount} suggestions={accounts} />
          <TextField label="Name" name="name" hint="A name to recognize the key by." isRequired value={name} onChange={setName} />
        </div>
        <div className="field-row">
          <TextField label="Opening balance ($)" name="opening_balance" value={amount} onChange={setAmount} />
          <SelectField
            label="Resets"
            name="period"
            value={period}
            onChange={setPeriod}
            options={[
              { value: 'day', label: 'Daily' },
              { value: 'month', label: 'Monthly' },
            ]}
          />
        </div>
        <CheckField label="Can store responses" isChecked={isStored} onChange={setStored} />
        <SameAs
          method="POST"
          path="/admin/v1/keys"
          body={{ account, name }}
          command={['key', 'create', '--account', account, '--name', name]}
        />
        <div className="row">
          <Button type="submit" kind="primary">
            Send
          </Button>
        </div>
      </Form>
    </section>
  );
}
