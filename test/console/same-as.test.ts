/** "The same as" of the console's forms: each text is copied from the page as a person would, and run by a shell. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accounts as accountsTexts } from '../../client/pages/src/texts/accounts.ts';
import { keys as keysTexts } from '../../client/pages/src/texts/keys.ts';
import { prices as pricesTexts } from '../../client/pages/src/texts/prices.ts';
import { settings as settingsTexts } from '../../client/pages/src/texts/settings.ts';
import { spendingCaps as capTexts } from '../../client/pages/src/texts/spending-caps.ts';
import { statement as statementTexts } from '../../client/pages/src/texts/statement.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { hasChromium, launchBrowser, openPage } from './browser.ts';
import { runText, textOf } from './copied-text.ts';
import { type SignedIn, signInOnce } from './sign-in-once.ts';

interface Form {
  readonly what: string;
  readonly path: string;
  /** Opens the dialog and fills it; `name` is another for each text that is run. */
  readonly fill: (page: Page, name: string) => Promise<void>;
  /** Asks the API whether the text did what the form would have. */
  readonly done: (name: string) => Promise<void>;
  readonly hasCommand: boolean;
}

describe.skipIf(!hasChromium)('a command or API call that a form shows', () => {
  let admin: TestAdmin;
  let browser: Browser;
  let signedIn: SignedIn;
  /** Of the keys that are edited and rotated, one for each text. */
  const keyIds = new Map<string, string>();
  beforeAll(async () => {
    [admin, browser] = await Promise.all([startAdmin(governed), launchBrowser()]);
    await admin.call('POST', '/accounts', { name: "o'neil", group: 'vip', opening_balance: '20' });
    await admin.call('POST', '/accounts', { name: 'second' });
    for (const kind of ['api', 'cli']) {
      await admin.call('POST', '/accounts', { name: `subscribed-${kind}` });
      await admin.call('POST', '/accounts', { name: `edited-${kind}` });
      const { body } = await admin.call('POST', '/keys', { account: 'second', name: `old-${kind}` });
      keyIds.set(kind, body.id);
    }
    signedIn = await signInOnce(browser, admin);
  });
  afterAll(async () => {
    await browser?.close();
    await admin?.close();
  });

  const read = async (path: string) => (await admin.call('GET', path)).body;
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
  const odd = (name: string) => `it's "${name}" $HOME`;

  const forms: readonly Form[] = [
    {
      what: 'a new account',
      path: '/accounts',
      hasCommand: false,
      fill: async (page, name) => {
        await press(page, accountsTexts.create);
        await field(page, 'Name').fill(odd(name));
      },
      done: async (name) => expect(await read(`/accounts/${encodeURIComponent(odd(name))}`)).toMatchObject({ name: odd(name) }),
    },
    {
      what: 'a payment',
      path: `/accounts/${encodeURIComponent("o'neil")}`,
      hasCommand: true,
      fill: async (page, name) => {
        await press(page, `${accountsTexts.topUp}…`);
        await page.getByLabel(statementTexts.columns.amount).fill('12.50');
        await page.getByLabel(accountsTexts.note).fill(odd(name));
        await page.getByLabel(accountsTexts.transferId).fill(`invoice-${name}`);
      },
      done: async (name) => {
        const again = { kind: 'top_up', amount: '12.50', note: odd(name), transfer_id: `invoice-${name}` };
        expect((await admin.call('POST', "/accounts/o'neil/adjustments", again)).body).toMatchObject({ repeated: true });
      },
    },
    {
      what: 'a subscription',
      path: '/accounts?tab=subscriptions&open=subscribed-',
      hasCommand: true,
      fill: async (page, name) => {
        await press(page, `${accountsTexts.subscriptions.create}…`);
        await page.getByLabel(accountsTexts.subscriptions.plan).fill(name === 'api' ? 'pro' : 'flex');
      },
      done: async (name) => {
        const { data } = await read(`/accounts/subscribed-${name}/subscriptions`);
        expect(data.map(({ plan }) => plan)).toContain(name === 'api' ? 'pro' : 'flex');
      },
    },
    {
      what: 'a new key',
      path: '/keys',
      hasCommand: true,
      fill: async (page, name) => {
        await press(page, keysTexts.create);
        await page.getByRole('dialog').getByLabel(keysTexts.account, { exact: true }).fill('second');
        await field(page, 'Name').fill(odd(name));
        await page.getByLabel(keysTexts.models).fill('play, gi*');
        await page.getByLabel(capTexts.typed.month).fill('20');
      },
      done: async (name) => {
        const made = (await read('/keys?limit=100')).data.find((one) => one.name === odd(name));
        expect(made).toMatchObject({ spending_caps: [{ amount: '20.000000' }] });
      },
    },
    {
      what: 'a new admin key',
      path: '/settings?tab=operators',
      hasCommand: true,
      fill: async (page, name) => {
        await press(page, settingsTexts.keys.create);
        await page.getByLabel(settingsTexts.keys.name).fill(odd(name));
      },
      done: async (name) => expect((await read('/admin-keys')).data.map((one) => one.name)).toContain(odd(name)),
    },
    {
      what: 'a change of an account',
      path: '/accounts/edited-',
      hasCommand: false,
      fill: async (page, name) => {
        await press(page, `${accountsTexts.edit}…`);
        await field(page, 'Name').fill(`other ${odd(name)}`);
        await page.getByRole('dialog').getByLabel(keysTexts.access.group, { exact: true }).selectOption('vip');
      },
      done: async (name) => {
        const { data } = await read('/accounts?limit=100');
        expect(data.find((one) => one.name === `other ${odd(name)}`)).toMatchObject({ group: 'vip' });
      },
    },
    {
      what: 'a change of a key',
      path: '/keys?open=',
      hasCommand: false,
      fill: async (page, name) => {
        await press(page, `${keysTexts.edit}…`);
        await page.getByLabel(keysTexts.models).fill(`play, ${name}*`);
        await page.getByLabel(capTexts.typed.month).fill('7.5');
      },
      done: async (name) =>
        expect(await read(`/keys/${keyIds.get(name)}`)).toMatchObject({
          permissions: { models: ['play', `${name}*`] },
          spending_caps: [{ amount: '7.500000' }],
        }),
    },
    {
      what: 'a rotation',
      path: '/keys?open=',
      hasCommand: true,
      fill: async (page) => press(page, `${keysTexts.rotate}…`),
      done: async (name) => expect(await read(`/keys/${keyIds.get(name)}`)).toMatchObject({ replaced_by: expect.stringMatching(/^key_/) }),
    },
    {
      what: 'a new version of a price',
      path: '/prices?open=standard/play',
      hasCommand: false,
      fill: async (page) => {
        await press(page, `${pricesTexts.create}…`);
        await page.getByLabel(pricesTexts.fields.output, { exact: true }).fill('16');
      },
      done: async () => {
        const { data } = await read('/prices');
        const set = data.find((one) => one.model === 'play' && one.price_list === 'standard');
        expect(set).toMatchObject({ source: 'admin', prices: { output: '16' } });
      },
    },
  ];

  const pathEnd = (path: string, kind: string): string =>
    path === '/keys?open=' ? (keyIds.get(kind) ?? '') : path.endsWith('-') ? kind : '';
  const texts = forms.flatMap((form) =>
    (form.hasCommand ? (['api', 'cli'] as const) : (['api'] as const)).map((kind) => ({ ...form, kind })),
  );
  it.each(texts)('works like the form: $what, as $kind', async ({ path, fill, done, kind }) => {
    const { page } = await openPage(browser, `${admin.origin}/console${path}${pathEnd(path, kind)}`, signedIn);
    await fill(page, kind);
    const text = await textOf(page.getByRole('dialog'), kind);
    expect(text).toContain(kind === 'cli' ? 'modelgate ' : 'curl ');
    expect(text).not.toContain(admin.key);
    await runText(text, admin);
    await done(kind);
    await page.context().close();
  });
});
