import { type CodeAction, CodeActionKind, type CodeActionParams, type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import { z } from 'zod';
import { ARCHITECTURE_COMMANDS, type ArchitectureTarget } from '../../../protocol/architecture';
import { neverCancelled } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { Violation } from '../../features/architecture/rules';
import type { LspConnection } from '../lspConnection';
import type { Folder } from './folders';
import { answering, type Questions } from './questions';
import type { EditorSettings } from './settings';
import { Throttle } from './throttle';

/** Shortest time between two checks, in milliseconds. */
const CHECK_MS = 500;
/** Breaches shown for one folder; `lattice arch` lists all. */
const MAX_DIAGNOSTICS = 1000;
/** A column beyond every line. */
const LINE_END = 10_000;
const SOURCE = 'Lattice';

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

export interface ArchitectureDiagnosticsOptions {
  readonly connection: LspConnection;
  readonly questions: Questions;
  readonly settings: () => EditorSettings;
  /** Text of a document as the editor has it, when it is open. */
  readonly lineOf: (uri: string, line: number) => string | undefined;
}

/** Breaches of the declared architecture in the Problems view, checked anew after each revision, with what can be done about them. */
export class ArchitectureDiagnostics implements Disposable {
  readonly #check: Throttle;
  readonly #waiting = new Set<Folder>();
  /** Documents that have diagnostics, by folder. */
  readonly #shown = new Map<string, ReadonlySet<string>>();
  #running = false;
  #disposed = false;

  constructor(private readonly options: ArchitectureDiagnosticsOptions) {
    this.#check = new Throttle(CHECK_MS, () => void this.#run(), true);
    options.connection.onCodeAction(params => answering(async () => this.#actions(params)));
  }

  /** A folder has a new revision, other rules or other settings. */
  outdated(folder: Folder): void {
    this.#waiting.add(folder);
    this.#check.request();
  }

  /** A folder was closed: what was said of it goes. */
  closed(folderUri: string): void {
    for (const uri of this.#shown.get(folderUri) ?? []) void this.options.connection.sendDiagnostics({ uri, diagnostics: [] });
    this.#shown.delete(folderUri);
  }

  dispose(): void {
    this.#disposed = true;
    this.#check.dispose();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      for (const folder of this.#waiting) {
        this.#waiting.delete(folder);
        await this.#checkFolder(folder);
      }
    } finally {
      this.#running = false;
    }
    if (this.#waiting.size > 0) this.#check.request();
  }

  async #checkFolder(folder: Folder): Promise<void> {
    const { connection, questions, settings } = this.options;
    const wanted = settings().architecture(folder.uri);
    if (wanted === 'off') {
      this.closed(folder.uri);
      return;
    }
    // What is being typed has a revision of its own: to ask for it here would index after every key.
    const found = await questions.quietly(folder, 'architecture', { declaredOnly: wanted === 'declared' }, neverCancelled);
    if (found === undefined || this.#disposed || questions.folders.get(folder.uri) !== folder) return;
    const byUri = new Map<string, Diagnostic[]>();
    for (const row of found.violations.filter(each => !each.baseline).slice(0, MAX_DIAGNOSTICS)) {
      const uri = folder.uriOf(row.from.file);
      byUri.set(uri, [...(byUri.get(uri) ?? []), this.#diagnosticOf(folder, row, found.rulesSource, uri)]);
    }
    for (const uri of this.#shown.get(folder.uri) ?? []) if (!byUri.has(uri)) await connection.sendDiagnostics({ uri, diagnostics: [] });
    for (const [uri, diagnostics] of byUri) await connection.sendDiagnostics({ uri, diagnostics });
    this.#shown.set(folder.uri, new Set(byUri.keys()));
  }

  #diagnosticOf(folder: Folder, row: Violation, rulesSource: string, uri: string): Diagnostic {
    const line = Math.max(0, row.from.line - 1);
    const text = this.options.lineOf(uri, line);
    const indent = text === undefined ? 0 : text.length - text.trimStart().length;
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
      range: { start: { line, character: indent }, end: { line, character: text === undefined ? LINE_END : text.trimEnd().length } },
      severity: SEVERITIES[row.severity],
      source: SOURCE,
      code: rule,
      message: `${row.message}\n${row.suggestion}`,
      data,
    };
  }

  #actions({ context }: CodeActionParams): CodeAction[] {
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

const SEVERITIES: Readonly<Record<Violation['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};
