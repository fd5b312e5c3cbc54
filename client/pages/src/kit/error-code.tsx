/** An error code, as a link to its page in the documentation. */
import { type ReactNode, useContext } from 'react';
import { hasErrorPage } from '../data/error-pages.ts';
import { kit } from '../texts/kit.ts';
import { HelpContext } from './help.ts';
import { Icon } from './icon.tsx';

export const ErrorCode = ({ code }: { readonly code: string }) => {
  const text = <code>{code}</code>;
  return hasErrorPage(code) ? <ErrorLink code={code}>{text}</ErrorLink> : text;
};

/** For use beside a code that is a link itself. */
export const ErrorHelp = ({ code }: { readonly code: string }) =>
  hasErrorPage(code) && (
    <ErrorLink code={code} label={kit.aboutCode(code)}>
      <Icon name="help" />
    </ErrorLink>
  );

interface LinkProps {
  readonly code: string;
  readonly label?: string;
  readonly children: ReactNode;
}
const ErrorLink = ({ code, label, children }: LinkProps) => (
  <a
    className="error-code"
    href={`${useContext(HelpContext)}errors/${code}`}
    target="_blank"
    rel="noreferrer"
    aria-label={label}
    title={label}
  >
    {children}
  </a>
);
