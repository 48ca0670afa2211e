import { type CodeAction, CodeActionKind, type CodeActionParams, type Diagnostic } from 'vscode-languageserver/node';
import { z } from 'zod';
import { EDITOR_COMMANDS, type PlacesTarget } from '../../../../protocol/editorCommands';
import { neverCancelled } from '../../../base/cancellation';
import type { Disposable } from '../../../base/disposable';
import type { Answer } from '../../../features/catalogue/catalogue';
import { Debouncer } from '../debouncer';
import type { Folder } from '../folders';
import { type DiagnosticsOptions, FolderProblems, type Problem, withData } from './folderProblems';

/** Shortest time between two checks, in milliseconds: they rest on the services of the whole workspace. */
const CHECK_MS = 2000;

/** How long a writer rests until an edit is checked, in milliseconds. */
const TYPING = { quietMs: 400, latestMs: 10_000 };

type ServiceProblem = Answer<'services'>['problems'][number];

/** What travels with a diagnostic and comes back with the request for its actions. */
const target = z.object({
  folder: z.string(),
  file: z.string(),
  line: z.number(),
  related: z.array(z.object({ name: z.string(), file: z.string(), line: z.number() })),
  fix: z.object({ from: z.string(), to: z.string() }).optional(),
});

/** What does not fit together between services in the Problems view, checked anew after each revision, with what can be done about it. */
export class ServiceDiagnostics implements Disposable {
  readonly #problems: FolderProblems;
  /** Folders whose services use each other: an edit can break what others use. */
  readonly #shared = new Set<Folder>();
  readonly #edited = new Set<Folder>();
  readonly #typing = new Debouncer(TYPING, () => this.#checkEdited());

  constructor(private readonly options: DiagnosticsOptions) {
    this.#problems = new FolderProblems(options, { name: 'services', restMs: CHECK_MS, find: folder => this.#find(folder) });
  }

  outdated(folder: Folder): void {
    this.#problems.outdated(folder);
  }

  /** A document of a folder has other text than it had: what that breaks for other services is shown when the writer pauses. */
  edited(folder: Folder): void {
    if (!this.#shared.has(folder)) return;
    this.#edited.add(folder);
    this.#typing.request();
  }

  #checkEdited(): void {
    this.options.questions.sendTyped();
    for (const folder of this.#edited) this.#problems.outdatedNow(folder);
    this.#edited.clear();
  }

  dispose(): void {
    this.#typing.dispose();
    this.#problems.dispose();
  }

  async #find(folder: Folder): Promise<readonly Problem[] | undefined> {
    const wanted = this.options.settings().serviceProblems(folder.uri);
    const found = wanted === 'off' ? undefined : await this.options.questions.quietly(folder, 'services', {}, neverCancelled);
    if (found !== undefined && found.calls.length + found.events.length > 0) this.#shared.add(folder);
    else this.#shared.delete(folder);
    if (wanted === 'off') return [];
    return found?.problems.filter(({ file, severity }) => file !== '' && (wanted === 'all' || severity !== 'info')).map(row => problemOf(folder, row));
  }

  /** What can be done about the diagnostics of a place. */
  actions({ context, textDocument }: CodeActionParams): CodeAction[] {
    return withData(context.diagnostics, target).flatMap(({ diagnostic, data }) => this.#actionsFor(textDocument.uri, diagnostic, data));
  }

  #actionsFor(uri: string, diagnostic: Diagnostic, { fix, folder, file, line, related }: z.infer<typeof target>): CodeAction[] {
    const kind = CodeActionKind.QuickFix;
    const row = diagnostic.range.start.line;
    const at = fix === undefined ? -1 : onlyPlaceOf(fix.from, this.options.lineOf(uri, row) ?? '');
    const edits: CodeAction[] =
      fix === undefined || at < 0
        ? []
        : [
            {
              title: `Change to ${fix.to}`,
              kind,
              isPreferred: true,
              diagnostics: [diagnostic],
              edit: {
                changes: {
                  [uri]: [{ range: { start: { line: row, character: at }, end: { line: row, character: at + fix.from.length } }, newText: fix.to }],
                },
              },
            },
          ];
    if (!this.options.settings().knows(EDITOR_COMMANDS.showPlaces)) return edits;
    const ways = related.map((place): CodeAction => {
      const title = `Go to ${place.name}`;
      const argument: PlacesTarget = { folder, file, line, places: [{ file: place.file, line: place.line }] };
      return { title, kind, diagnostics: [diagnostic], command: { title, command: EDITOR_COMMANDS.showPlaces, arguments: [argument] } };
    });
    return [...edits, ...ways];
  }
}

/** Where words stand in a line, as whole ones; -1 where they do not or more than once. */
function onlyPlaceOf(words: string, text: string): number {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + words.length]];
    if (!/[\w.-]/.test(after) && (words.startsWith('/') || !/[\w.-]/.test(before))) places.push(at);
  }
  return places.length === 1 ? (places[0] ?? -1) : -1;
}

function problemOf(folder: Folder, { code, file, fix, line, message, related, severity }: ServiceProblem): Problem {
  const relatedInformation = related.map(place => {
    const start = { line: Math.max(0, place.line - 1), character: 0 };
    return { message: place.name, location: { uri: folder.uriOf(place.file), range: { start, end: start } } };
  });
  const data = { folder: folder.uri, file, line, related, ...(fix === undefined ? {} : { fix }) };
  return { file, line, severity, code, message, relatedInformation, data };
}
