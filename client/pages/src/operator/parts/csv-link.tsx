/** The link that downloads a complete table as CSV, with the page's filters. */
import { csv as words } from '../../texts/csv.ts';
import { csvPath } from '../reads/links.ts';

type CsvPathParams = Parameters<typeof csvPath>;

export function CsvLink({ of, query }: { readonly of: CsvPathParams[0]; readonly query: CsvPathParams[1] }) {
  return (
    <a className="button plain" href={csvPath(of, query)} download>
      {words.save}
    </a>
  );
}
