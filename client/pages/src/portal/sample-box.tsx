/** Text to copy: one piece, or a sample with its tools to choose from. */
import type { ReactNode } from 'react';
import type { Connection } from '../../../connect/recipe.ts';
import { Copy } from '../kit/copy.tsx';
import { overview as words } from '../texts/portal-overview.ts';
import { sampleFor, type Tool, toolNames, tools } from './samples.ts';

export function CodeBox({ code, what, children }: { readonly code: string; readonly what: string; readonly children?: ReactNode }) {
  return (
    <div className="stack">
      <div className="row apart">
        {children}
        <Copy text={code} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
    </div>
  );
}

export interface SampleBoxProps {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly onTool: (tool: Tool) => void;
}

export function SampleBox({ tool, onTool, connection }: SampleBoxProps) {
  return (
    <CodeBox code={sampleFor(tool, connection)} what={words.sample}>
      <fieldset className="segments">
        <legend className="hidden">{words.sample}</legend>
        {tools.map((one) => (
          <button key={one} type="button" aria-pressed={one === tool} onClick={() => onTool(one)}>
            {toolNames[one]}
          </button>
        ))}
      </fieldset>
    </CodeBox>
  );
}
