/** A sample with a choice of tools and a copy button. */
import type { Connection } from '../../../connect/recipes/recipe.ts';
import { CodeBox } from '../kit/copy.tsx';
import { overview as words } from '../texts/portal-overview.ts';
import { getSample, type Tool, toolNames, tools } from './samples.ts';

export interface SampleBoxProps {
  readonly connection: Connection;
  readonly tool: Tool;
  readonly onTool: (tool: Tool) => void;
}

export function SampleBox({ tool, onTool, connection }: SampleBoxProps) {
  return (
    <CodeBox code={getSample(tool, connection)} what={words.sample}>
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
