import { type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver/node';
import type { z } from 'zod';
import type { Disposable } from '../../../base/disposable';
import type { Folder } from '../folders';
import type { Questions } from '../questions';
import type { EditorSettings } from '../settings';
import type { DiagnosticBoard } from './diagnosticBoard';
import { FolderChecks } from './folderChecks';

/** Problems that one check shows for one folder; the command line lists all. */
const MAX_PROBLEMS = 1000;
/** A column beyond every line. */
const LINE_END = 10_000;
const SOURCE = 'Lattice';

export interface DiagnosticsOptions {
  readonly board: DiagnosticBoard;
  readonly questions: Questions;
  readonly settings: () => EditorSettings;
  /** Text of a document as the editor has it, when it is open. */
  readonly lineOf: (uri: string, line: number) => string | undefined;
}

/** A problem in a file of the workspace. */
export interface Problem {
  readonly file: string;
  /** 1-based; 0 for the file as a whole. */
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly message: string;
  readonly relatedInformation?: Diagnostic['relatedInformation'];
  /** What travels with the diagnostic and comes back with the request for its actions. */
  readonly data: object;
}

/** A check of a folder. */
interface Check {
  /** Name on the board. */
  readonly name: string;
  /** Shortest time between two runs, in milliseconds. */
  readonly restMs: number;
  /** Problems of a folder; `undefined` when it cannot be told now, and what is shown stays. */
  readonly find: (folder: Folder) => Promise<readonly Problem[] | undefined>;
}

/** Shows what a check finds in the Problems view, anew after each revision. */
export class FolderProblems implements Disposable {
  readonly #checks: FolderChecks;

  constructor(
    private readonly options: DiagnosticsOptions,
    private readonly check: Check,
  ) {
    this.#checks = new FolderChecks(check.restMs, folder => this.#checkFolder(folder));
  }

  outdated(folder: Folder): void {
    this.#checks.outdated(folder);
  }

  outdatedNow(folder: Folder): void {
    this.#checks.outdatedNow(folder);
  }

  dispose(): void {
    this.#checks.dispose();
  }

  async #checkFolder(folder: Folder): Promise<void> {
    const found = await this.check.find(folder);
    if (found === undefined || this.#checks.isDisposed || this.options.questions.folders.get(folder.uri) !== folder) return;
    const byUri = new Map<string, Diagnostic[]>();
    for (const problem of found.slice(0, MAX_PROBLEMS)) {
      const uri = folder.uriOf(problem.file);
      byUri.set(uri, [...(byUri.get(uri) ?? []), this.#diagnosticOf(problem, uri)]);
    }
    await this.options.board.say(this.check.name, folder.uri, byUri);
  }

  #diagnosticOf({ code, data, line, message, relatedInformation, severity }: Problem, uri: string): Diagnostic {
    const row = Math.max(0, line - 1);
    return {
      range: rangeOfLine(row, this.options.lineOf(uri, row)),
      severity: SEVERITIES[severity],
      source: SOURCE,
      code,
      message,
      ...(relatedInformation === undefined ? {} : { relatedInformation }),
      data,
    };
  }
}

/** Diagnostics of ours whose data has a shape, with that data. */
export function withData<Data>(
  diagnostics: readonly Diagnostic[],
  shape: z.ZodType<Data>,
): readonly { readonly diagnostic: Diagnostic; readonly data: Data }[] {
  return diagnostics.flatMap(diagnostic => {
    const read = diagnostic.source === SOURCE ? shape.safeParse(diagnostic.data) : undefined;
    return read?.success === true ? [{ diagnostic, data: read.data }] : [];
  });
}

/** The text of a line without the spaces around it; the whole line where it is not known. */
function rangeOfLine(line: number, text: string | undefined): Range {
  const indent = text === undefined ? 0 : text.length - text.trimStart().length;
  return { start: { line, character: indent }, end: { line, character: text === undefined ? LINE_END : text.trimEnd().length } };
}

const SEVERITIES: Readonly<Record<Problem['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};
