/** Writes docs/generated/commands.md: the help of every command. */
import { createProgram } from '../../server/operate/commands/command-line.ts';
import { type Output, publish } from './output.ts';

type Command = Awaited<ReturnType<typeof createProgram>>;

/** Characters per line of the help. */
const WIDTH = 110;

const introduction = `# Command reference

The help of every command of \`modelgate\`, as \`--help\` prints it. In a copy of the repository, [define the command](../guides/operating.md#commands) first.`;

function readHelp(command: Command, lines: string[]): string {
  lines.length = 0;
  command.outputHelp();
  return lines.join('').trim();
}

function listCommands(command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] {
  return command.commands
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => {
      const name = [...path, child.name()];
      return [[name.join(' '), child] as const, ...listCommands(child, name)];
    });
}

export async function commandsOutput(): Promise<Output> {
  const lines: string[] = [];
  const write = (text: string): unknown => lines.push(text);
  const program = await createProgram({ stdout: { isTTY: true, columns: WIDTH, write }, stderr: { write } });
  const sections = listCommands(program).map(([name, command]) => {
    const level = name.includes(' ') ? '###' : '##';
    return `${level} ${name}\n\n\`\`\`text\n${readHelp(command, lines)}\n\`\`\``;
  });
  return { path: '../generated/commands.md', text: `${[introduction, ...sections].join('\n\n')}\n` };
}

if (import.meta.main) publish(await commandsOutput());
