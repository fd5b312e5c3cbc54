/** The mark of the product, as in docs/site/browser/icon.svg. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" />
    <path d="M8 25V13a8 8 0 0 1 16 0v12M16 14v11" />
  </svg>
);
