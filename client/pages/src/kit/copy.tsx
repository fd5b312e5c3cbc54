/** Copies a text and confirms it, or reports that the browser rejected it. */
import { type ReactNode, useState } from 'react';
import { kit } from '../texts/kit.ts';
import { Button, IconButton } from './button.tsx';
import type { IconName } from './icon.tsx';
import { showToast } from './toast.tsx';

export interface CopyProps {
  readonly text: string;
  /** Name of the text, for the button's label: `the request ID`. */
  readonly what: string;
  /** Whether to show a label beside the icon. */
  readonly isWide?: boolean;
  readonly icon?: IconName;
}

export function Copy({ text, what, isWide = false, icon: plain = 'copy' }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      showToast(kit.copied);
    } catch {
      showToast(kit.notCopied);
    }
  };
  const icon = isCopied ? 'check' : plain;
  if (!isWide) return <IconButton label={kit.copyWhat(what)} icon={icon} onClick={copy} onBlur={() => setCopied(false)} />;
  return (
    <Button icon={icon} aria-label={kit.copyWhat(what)} onClick={copy} onBlur={() => setCopied(false)}>
      {isCopied ? kit.copied : kit.copy}
    </Button>
  );
}

export interface CodeBoxProps {
  readonly code: string;
  /** Name of the text, as in `Copy`. */
  readonly what: string;
  /** Content beside the button: a heading, or tabs. */
  readonly children: ReactNode;
}

/** Code with a button that copies it. */
export function CodeBox({ code, what, children }: CodeBoxProps) {
  return (
    <>
      <div className="row apart">
        {children}
        <Copy text={code} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
    </>
  );
}
