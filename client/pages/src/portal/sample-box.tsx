/** A sample with its tools to choose from, and a button that copies it. */
import { Copy } from '../kit/copy.tsx';
import { overview as words } from '../texts/portal-overview.ts';
import { type Place, sampleFor, type Tool, toolNames, tools } from './samples.ts';

export interface SampleBoxProps extends Place {
  readonly tool: Tool;
  readonly onTool: (tool: Tool) => void;
}

export function SampleBox({ tool, onTool, ...place }: SampleBoxProps) {
  const sample = sampleFor(tool, place);
  return (
    <div className="stack">
      <div className="row apart">
        <fieldset className="segments">
          <legend className="hidden">{words.sample}</legend>
          {tools.map((one) => (
            <button key={one} type="button" aria-pressed={one === tool} onClick={() => onTool(one)}>
              {toolNames[one]}
            </button>
          ))}
        </fieldset>
        <Copy text={sample} what={words.sample} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
      <pre className="code" tabIndex={0}>
        {sample}
      </pre>
    </div>
  );
}
