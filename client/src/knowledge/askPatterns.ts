import { InputBoxValidationSeverity, type Uri, window } from 'vscode';
import type { PatternFiles } from '../../../server/protocol/features';
import { counted } from '../../../server/protocol/figures';
import type { LatticeServer } from '../languageClient/latticeServer';
import { splitPatterns } from './globs';

/** Lets the user write patterns and says, from the first moment on, what they match. `undefined` when the user gives up. */
export async function askPatterns(server: LatticeServer, folder: Uri, title: string, proposed: readonly string[]): Promise<string[] | undefined> {
  const input = window.createInputBox();
  input.title = title;
  input.value = proposed.join(', ');
  input.prompt = 'Glob patterns, separated by commas';
  input.placeholder = 'src/checkout/**, src/{cart,basket}.ts';
  input.ignoreFocusOut = true;
  let isRefused = true;
  const look = async (): Promise<void> => {
    const { value } = input;
    const patterns = splitPatterns(value);
    const matches = patterns.length === 0 ? undefined : await server.ask('patternMatches', { patterns }, folder);
    // An answer about what has been typed over since says nothing.
    if (input.value !== value) return;
    isRefused = matches === undefined || matches.patterns.some(row => row.problem !== undefined);
    input.validationMessage = matches === undefined ? undefined : messageOf(matches);
  };
  const looked = (): void => {
    look().catch((error: unknown) => {
      input.validationMessage = { message: error instanceof Error ? error.message : String(error), severity: InputBoxValidationSeverity.Error };
    });
  };
  try {
    return await new Promise(resolve => {
      input.onDidChangeValue(looked);
      input.onDidAccept(async () => {
        const { value } = input;
        await look().catch(() => undefined);
        // What was typed since Enter was pressed has not been looked at.
        if (!isRefused && input.value === value) resolve(splitPatterns(value));
      });
      input.onDidHide(() => resolve(undefined));
      input.show();
      looked();
    });
  } finally {
    input.dispose();
  }
}

function messageOf(matches: PatternFiles): { readonly message: string; readonly severity: InputBoxValidationSeverity } {
  const wrong = matches.patterns.find(row => row.problem !== undefined);
  if (wrong !== undefined) return { message: `${wrong.pattern} ${wrong.problem}.`, severity: InputBoxValidationSeverity.Error };
  return { message: matchText(matches), severity: matches.total === 0 ? InputBoxValidationSeverity.Warning : InputBoxValidationSeverity.Info };
}

/** `12 indexed files match: src/** 10, lib/*.ts 2`. */
function matchText({ patterns, total }: PatternFiles): string {
  const matching = `${counted(total, 'indexed file')} ${total === 1 ? 'matches' : 'match'}`;
  return patterns.length < 2 ? matching : `${matching}: ${patterns.map(row => `${row.pattern} ${row.total}`).join(', ')}`;
}
