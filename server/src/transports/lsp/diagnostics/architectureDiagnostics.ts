import { type CodeAction, CodeActionKind, type CodeActionParams, type Diagnostic } from 'vscode-languageserver/node';
import { z } from 'zod';
import { ARCHITECTURE_COMMANDS, type ArchitectureTarget } from '../../../../protocol/architecture';
import { neverCancelled } from '../../../base/cancellation';
import type { Disposable } from '../../../base/disposable';
import type { Violation } from '../../../features/architecture/rules';
import type { Folder } from '../folders';
import { type DiagnosticsOptions, FolderProblems, type Problem, withData } from './folderProblems';

/** Shortest time between two checks, in milliseconds. */
const CHECK_MS = 500;

/** What travels with a diagnostic and comes back with the request for its actions. */
const target = z.object({
  folder: z.string(),
  rule: z.string(),
  from: z.string(),
  file: z.string(),
  to: z.string(),
  edge: z.string(),
  members: z.array(z.string()).optional(),
  rulesSource: z.string(),
  ruleLine: z.number(),
});

/** Violations of the declared architecture in the Problems view, checked anew after each revision, with what can be done about them. */
export class ArchitectureDiagnostics implements Disposable {
  readonly #problems: FolderProblems;

  constructor(private readonly options: DiagnosticsOptions) {
    this.#problems = new FolderProblems(options, { name: 'architecture', restMs: CHECK_MS, find: folder => this.#find(folder) });
  }

  outdated(folder: Folder): void {
    this.#problems.outdated(folder);
  }

  dispose(): void {
    this.#problems.dispose();
  }

  async #find(folder: Folder): Promise<readonly Problem[] | undefined> {
    const wanted = this.options.settings().architecture(folder.uri);
    if (wanted === 'off') return [];
    // What is being typed has a revision of its own: to ask for it here would index after every key.
    const found = await this.options.questions.quietly(folder, 'architecture', { declaredOnly: wanted === 'declared' }, neverCancelled);
    return found?.violations.filter(row => !row.baseline).map(row => problemOf(folder, row, found.rulesSource));
  }

  /** What can be done about the diagnostics of a place. */
  actions({ context }: CodeActionParams): CodeAction[] {
    return withData(context.diagnostics, target).flatMap(({ diagnostic, data }) => this.#actionsFor(diagnostic, data));
  }

  #actionsFor(diagnostic: Diagnostic, violation: z.infer<typeof target>): CodeAction[] {
    const settings = this.options.settings();
    const isDeclared = violation.rulesSource !== 'builtin';
    const rows: readonly (readonly [string, string, boolean])[] = [
      [`Accept this violation of ${violation.rule} in the architecture baseline`, ARCHITECTURE_COMMANDS.accept, settings.trusted],
      [`Add exception to ${violation.rule} for ${violation.file}...`, ARCHITECTURE_COMMANDS.except, settings.trusted && isDeclared],
      [`Go to rule ${violation.rule}`, ARCHITECTURE_COMMANDS.goToRule, isDeclared && violation.ruleLine > 0],
    ];
    // What is wrong with the rule file itself is put right there.
    return rows
      .filter(([, command, isOffered]) => isOffered && violation.rule !== 'rules-file' && settings.knows(command))
      .map(([title, command]) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        command: { title, command, arguments: [violation] },
      }));
  }
}

function problemOf(folder: Folder, row: Violation, rulesSource: string): Problem {
  const { ruleId: rule, from, to, edge, members, ruleLine } = row;
  const data: ArchitectureTarget = {
    folder: folder.uri,
    rule,
    from: from.id,
    file: from.file,
    to,
    edge,
    rulesSource,
    ruleLine,
    ...(members === undefined ? {} : { members }),
  };
  return { file: from.file, line: from.line, severity: row.severity, code: rule, message: `${row.message}\n${row.suggestion}`, data };
}
