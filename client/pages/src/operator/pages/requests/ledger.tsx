/** The ledger entries of a request. */
import { Money } from '../../../kit/values.tsx';
import { requests as words } from '../../../texts/requests.ts';
import type { ExplainedRequest } from './recompute.ts';
import { Section } from './section.tsx';

const { entries: titles, detail } = words;

const ACCOUNT = /^account:/;

interface LedgerProps extends Pick<ExplainedRequest, 'entries'> {
  /** The name of the call's account. */
  readonly accountName: string | null;
}
export function Ledger({ entries, accountName }: LedgerProps) {
  if (entries.length === 0)
    return (
      <Section title={detail.ledger}>
        <p className="soft">{detail.noEntries}</p>
      </Section>
    );
  return (
    <Section title={detail.ledger}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
      <section className="scrolls" tabIndex={0} aria-label={detail.ledger}>
        <table className="table plain tight">
          <thead>
            <tr>
              <th scope="col">{titles.id}</th>
              <th scope="col">{titles.ledgerAccount}</th>
              <th scope="col">{titles.kind}</th>
              <th scope="col" className="at-right">
                {titles.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ id, ledger_account: book, kind, amount }) => (
              <tr key={id}>
                <td>
                  <code className="reference">{id}</code>
                </td>
                <td>{ACCOUNT.test(book) ? words.ofAccount(accountName ?? book.replace(ACCOUNT, '')) : book}</td>
                <td>{kind}</td>
                <td className="at-right">
                  <Money amount={amount} decimals={6} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
