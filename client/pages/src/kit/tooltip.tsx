/** A short text beside a hovered or focused element, which also describes the element to screen readers. */
import { cloneElement, type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';

export interface TooltipProps {
  readonly text: ReactNode;
  /** One element that accepts `aria-describedby`. */
  readonly children: ReactElement<{ 'aria-describedby'?: string }>;
}

export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const bubble = useRef<HTMLSpanElement>(null);
  const show = () => bubble.current?.showPopover();
  const hide = () => bubble.current?.hidePopover();
  useEffect(() => {
    // Escape hides it without moving the pointer (WCAG 1.4.13).
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') bubble.current?.hidePopover();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches its child, which is what people use.
    <span className="tooltip-anchor" onPointerEnter={show} onPointerLeave={hide} onFocus={show} onBlur={hide}>
      {cloneElement(children, { 'aria-describedby': id })}
      <span ref={bubble} id={id} role="tooltip" popover="manual" className="tooltip">
        {text}
      </span>
    </span>
  );
}
