/** Buttons, and links that look like them. A control that the user can't use stays visible and says who can. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

type Kind = 'plain' | 'primary' | 'danger' | 'quiet';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'disabled'> {
  readonly kind?: Kind;
  readonly icon?: IconName;
  /** True while its action runs. Another press has no effect. */
  readonly isBusy?: boolean;
  /** Why it's disabled. The button stays focusable, and its tooltip shows this. */
  readonly refusal?: string | undefined;
}

export function Button({ kind = 'plain', icon, isBusy = false, refusal, children, onClick, ...rest }: ButtonProps) {
  const isOff = isBusy || refusal !== undefined;
  const button = (
    <button
      type="button"
      {...rest}
      className={`button ${kind}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
  return refusal === undefined ? button : <Tooltip text={refusal}>{button}</Tooltip>;
}

/** An icon button. Its label is read aloud and shown as a tooltip. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<ButtonProps, 'children' | 'icon'> & { readonly label: string; readonly icon: IconName }) {
  return (
    <Tooltip text={label}>
      <Button kind="quiet" {...rest} icon={icon} aria-label={label} />
    </Tooltip>
  );
}

export function ButtonLink({ href, kind = 'plain', icon, children }: LinkProps) {
  return (
    <Link href={href} className={`button ${kind}`}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}
interface LinkProps {
  readonly href: string;
  readonly kind?: Kind;
  readonly icon?: IconName;
  readonly children: ReactNode;
}
