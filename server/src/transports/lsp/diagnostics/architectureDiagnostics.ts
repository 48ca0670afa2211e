import { type CodeAction, CodeActionKind, type CodeActionParams, type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver/node';
import { z } from 'zod';
import { ARCHITECTURE_COMMANDS, type ArchitectureTarget } from '../../../../protocol/architecture';
import { neverCancelled } from '../../../base/cancellation';
import type { Disposable } from '../../../base/disposable';
import type { Violation } from '../../../features/architecture/rules';
import type { Folder } from '../folders';
import type { Questions } from '../questions';
import type { EditorSettings } from '../settings';
import type { DiagnosticBoard } from './diagnosticBoard';
import { FolderChecks } from './folderChecks';

/** Shortest time between two checks, in milliseconds. */
const CHECK_MS = 500;
/** Breaches shown for one folder; `lattice arch` lists all. */
const MAX_DIAGNOSTICS = 1000;
/** A column beyond every line. */
const LINE_END = 10_000;
export const SOURCE = 'Lattice';

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

export interface DiagnosticsOptions {
  readonly board: DiagnosticBoard;
  readonly questions: Questions;
  readonly settings: () => EditorSettings;
  /** Text of a document as the editor has it, when it is open. */
  readonly lineOf: (uri: string, line: number) => string | undefined;
}

/** Breaches of the declared architecture in the Problems view, checked anew after each revision, with what can be done about them. */
export class ArchitectureDiagnostics implements Disposable {
  readonly #checks = new FolderChecks(CHECK_MS, folder => this.#checkFolder(folder));

  constructor(private readonly options: DiagnosticsOptions) {}

  outdated(folder: Folder): void {
    this.#checks.outdated(folder);
  }

  dispose(): void {
    this.#checks.dispose();
  }

  async #checkFolder(folder: Folder): Promise<void> {
    const { board, questions, settings } = this.options;
    const wanted = settings().architecture(folder.uri);
    if (wanted === 'off') {
      await board.say('architecture', folder.uri, new Map());
      return;
    }
    // What is being typed has a revision of its own: to ask for it here would index after every key.
    const found = await questions.quietly(folder, 'architecture', { declaredOnly: wanted === 'declared' }, neverCancelled);
    if (found === undefined || this.#checks.isDisposed || questions.folders.get(folder.uri) !== folder) return;
    const byUri = new Map<string, Diagnostic[]>();
    for (const row of found.violations.filter(each => !each.baseline).slice(0, MAX_DIAGNOSTICS)) {
      const uri = folder.uriOf(row.from.file);
      byUri.set(uri, [...(byUri.get(uri) ?? []), this.#diagnosticOf(folder, row, found.rulesSource, uri)]);
    }
    await board.say('architecture', folder.uri, byUri);
  }

  #diagnosticOf(folder: Folder, row: Violation, rulesSource: string, uri: string): Diagnostic {
    const line = Math.max(0, row.from.line - 1);
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
    return {
      range: rangeOfLine(line, this.options.lineOf(uri, line)),
      severity: SEVERITIES[row.severity],
      source: SOURCE,
      code: rule,
      message: `${row.message}\n${row.suggestion}`,
      data,
    };
  }

  /** What can be done about the diagnostics of a place. */
  actions({ context }: CodeActionParams): CodeAction[] {
    return context.diagnostics.flatMap(diagnostic => {
      const read = target.safeParse(diagnostic.data);
      return diagnostic.source === SOURCE && read.success ? this.#actionsFor(diagnostic, read.data) : [];
    });
  }

  #actionsFor(diagnostic: Diagnostic, breach: z.infer<typeof target>): CodeAction[] {
    const settings = this.options.settings();
    const isDeclared = breach.rulesSource !== 'builtin';
    const rows: readonly (readonly [string, string, boolean])[] = [
      [`Accept this violation of ${breach.rule} in the architecture baseline`, ARCHITECTURE_COMMANDS.accept, settings.trusted],
      [`Add exception to ${breach.rule} for ${breach.file}...`, ARCHITECTURE_COMMANDS.except, settings.trusted && isDeclared],
      [`Go to rule ${breach.rule}`, ARCHITECTURE_COMMANDS.goToRule, isDeclared && breach.ruleLine > 0],
    ];
    // What is wrong with the rule file itself is put right there.
    return rows
      .filter(([, command, isOffered]) => isOffered && breach.rule !== 'rules-file' && settings.knows(command))
      .map(([title, command]) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        command: { title, command, arguments: [breach] },
      }));
  }
}

/** The text of a line without the spaces around it; the whole line where it is not known. */
export function rangeOfLine(line: number, text: string | undefined): Range {
  const indent = text === undefined ? 0 : text.length - text.trimStart().length;
  return { start: { line, character: indent }, end: { line, character: text === undefined ? LINE_END : text.trimEnd().length } };
}

const SEVERITIES: Readonly<Record<Violation['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};
