/** Tables: sorted and paged by the server, rows by `j`, `k` and `Enter`, cards of the main columns on a narrow screen. */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useKeys } from './keyboard.ts';

export interface Column<Row> {
  /** Unique in the table; what `Sorting.by` names. */
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** Shown on a narrow screen too; about three of them. */
  readonly isMain?: boolean;
  readonly canSort?: boolean;
}
export interface Sorting {
  readonly by: string;
  readonly order: 'asc' | 'desc';
  readonly onSort: (by: string, order: 'asc' | 'desc') => void;
}
export interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** Opens a row: by a click on it, `Enter`, or its first cell. */
  readonly onOpen?: (row: Row) => void;
  /** Whether a row that opens shows the rows that belong to it below; undefined for a row that opens a panel. */
  readonly isExpanded?: (row: Row) => boolean | undefined;
  /** Id of the row whose panel is open. */
  readonly openId?: string;
  readonly sorting?: Sorting;
  /** Reads the next page; absent when there is none. */
  readonly onMore?: (() => void) | undefined;
  readonly isReadingMore?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, idOf, onOpen, isExpanded, openId, sorting, onMore, isReadingMore } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useKeys({ j: () => moveRow(body.current, 1), k: () => moveRow(body.current, -1) });
  return (
    <div className="table-frame">
      <table className="table">
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr
              key={idOf(row)}
              tabIndex={-1}
              data-row=""
              data-open={(openId === idOf(row) && idOf(row) !== '') || undefined}
              onClick={onOpen && ((event) => isOnRow(event) && onOpen(row))}
              onKeyDown={onOpen && ((event) => isEnterOnRow(event) && onOpen(row))}
            >
              {columns.map((column, index) => (
                <td
                  key={column.id}
                  data-label={column.title}
                  data-main={column.isMain || undefined}
                  className={column.isNumber ? 'at-right' : undefined}
                >
                  {index === 0 && onOpen ? (
                    <OpenCell open={() => onOpen(row)} isExpanded={isExpanded?.(row)}>
                      {column.cell(row)}
                    </OpenCell>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {onMore && (
        <div className="table-more">
          <Button onClick={onMore} isBusy={isReadingMore ?? false}>
            {kit.loadMore}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The first cell is a button, so that Tab and screen readers reach what a click on the row does. */
const OpenCell = ({ open, isExpanded, children }: OpenCellProps) => (
  <button type="button" className={isExpanded === undefined ? 'link' : 'link disclosure'} aria-expanded={isExpanded} onClick={open}>
    {isExpanded !== undefined && <Icon name={isExpanded ? 'down' : 'right'} />}
    {children}
  </button>
);
interface OpenCellProps {
  readonly open: () => void;
  readonly isExpanded: boolean | undefined;
  readonly children: ReactNode;
}

function HeadCell<Row>({ column, sorting }: { readonly column: Column<Row>; readonly sorting: Sorting | undefined }) {
  const { id, title, isNumber, isMain, canSort } = column;
  const isSorted = sorting?.by === id;
  const shared = { scope: 'col', 'data-main': isMain || undefined, className: isNumber ? 'at-right' : undefined } as const;
  if (!canSort || !sorting) return <th {...shared}>{title}</th>;
  const next = isSorted && sorting.order === 'desc' ? 'asc' : 'desc';
  return (
    <th {...shared} aria-sort={isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <button type="button" className="sort" title={kit.sortBy(title)} onClick={() => sorting.onSort(id, next)}>
        {title}
        {isSorted && <Icon name={sorting.order === 'asc' ? 'up' : 'down'} />}
      </button>
    </th>
  );
}

const controls = 'a, button, input, select, label, summary';

/** A click on a link or a button in a row, or one that ends a selection of text, is not one on the row. */
function isOnRow({ target }: MouseEvent): boolean {
  if (target instanceof Element && target.closest(controls)) return false;
  return getSelection()?.isCollapsed ?? true;
}

const isEnterOnRow = (event: KeyboardEvent): boolean => event.key === 'Enter' && event.target === event.currentTarget;

function moveRow(body: HTMLTableSectionElement | null, by: 1 | -1): void {
  const rows = [...(body?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const to = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
  to?.focus();
  to?.scrollIntoView({ block: 'nearest' });
}
