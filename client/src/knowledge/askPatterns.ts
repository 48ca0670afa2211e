import { InputBoxValidationSeverity, type Uri, window } from 'vscode';
import type { PatternFilesDto } from '../../../server/protocol/knowledge';
import type { LatticeServer } from '../languageClient/latticeServer';
import { counted } from '../views/impact';
import { splitPatterns } from './globs';

/** Lets the user write patterns and says, while they are typed, what they match. `undefined` when the user gives up. */
export async function askPatterns(server: LatticeServer, folder: Uri, title: string, proposed: readonly string[]): Promise<string[] | undefined> {
  const text = await window.showInputBox({
    title,
    value: proposed.join(', '),
    prompt: 'Globs of the files it is about, relative to the folder, with commas: src/checkout/**, src/{cart,basket}.ts',
    ignoreFocusOut: true,
    validateInput: async value => {
      const patterns = splitPatterns(value);
      if (patterns.length === 0) return 'At least one pattern is needed.';
      const matches = await server.ask<PatternFilesDto>('patternMatches', { patterns }, folder);
      const problem = matches.patterns.find(row => row.problem !== undefined);
      if (problem !== undefined) return `${problem.pattern} ${problem.problem}.`;
      return { message: matchText(matches), severity: matches.total === 0 ? InputBoxValidationSeverity.Warning : InputBoxValidationSeverity.Info };
    },
  });
  return text === undefined ? undefined : splitPatterns(text);
}

/** `12 files match: src/** 10, lib/*.ts 2`. */
export function matchText({ patterns, total }: PatternFilesDto): string {
  const matching = `${counted(total, 'indexed file')} ${total === 1 ? 'matches' : 'match'}`;
  return patterns.length < 2 ? matching : `${matching}: ${patterns.map(row => `${row.pattern} ${row.total}`).join(', ')}`;
}
