import { type CodeLens, CodeLensRefreshRequest, type Command } from 'vscode-languageserver/node';
import { z } from 'zod';
import { EDITOR_COMMANDS, type EditorTarget, type PlacesTarget } from '../../../protocol/editorCommands';
import { figure } from '../../../protocol/figures';
import { type CancellationToken, throwIfCancelled } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { LensCounts } from '../../features/editor/codeLens';
import type { LspConnection } from '../lspConnection';
import { answering, type Questions } from './questions';
import type { EditorSettings } from './settings';
import { Throttle } from './throttle';
import { toNameRange } from './toProtocol';

const PARTS = ['references', 'tests', 'impact'] as const;
/** The endpoint that a declaration handles: leads to who calls it. */
const SERVES = 'serves';
const lensData = z.object({ id: z.string(), folder: z.string(), part: z.enum([SERVES, ...PARTS]) });

/** Shortest time between two requests to ask for the lenses anew, in milliseconds. */
const REFRESH_MS = 1000;

export interface CodeLensOptions {
  readonly connection: LspConnection;
  readonly questions: Questions;
  readonly settings: () => EditorSettings;
  /** Resolves when the engine knows what was typed: at once, or when the writer pauses. */
  readonly paused: () => Promise<void>;
}

/** Lenses above declarations: where they stand is told at once, what they say when they come into view. */
export class CodeLenses implements Disposable {
  /** The editor can be told that lenses are out of date. */
  refreshes = false;
  readonly #refresh: Throttle;

  constructor(private readonly options: CodeLensOptions) {
    const { connection } = options;
    this.#refresh = new Throttle(REFRESH_MS, () => void connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined), true);
    connection.onCodeLens((params, token) => answering(() => this.#lenses(params.textDocument.uri, token)));
    connection.onCodeLensResolve((lens, token) => answering(() => this.#resolve(lens, token)));
  }

  /** Counts or settings changed. */
  outdated(): void {
    if (this.refreshes && this.options.settings().showsLenses) this.#refresh.request();
  }

  /** Settings changed: lenses may have to go. */
  reconfigured(): void {
    if (this.refreshes) this.#refresh.request();
  }

  dispose(): void {
    this.#refresh.dispose();
  }

  async #lenses(uri: string, token: CancellationToken): Promise<CodeLens[]> {
    const { questions, settings, paused } = this.options;
    const located = questions.folders.locate(uri);
    if (located === undefined) return [];
    const { path, folder } = located;
    const wanted = settings().codeLens(folder.uri);
    if (wanted === 'none') return [];
    await paused();
    throwIfCancelled(token);
    const answer = await questions.quietly(folder, 'codeLenses', { path, all: wanted === 'all' }, token);
    const noted = (answer?.noted ?? []).map(({ line, places, text }): CodeLens => {
      const at = { line: Math.max(0, line - 1), character: 0 };
      return { range: { start: at, end: at }, command: this.#leading(text, { folder: folder.uri, file: path, line, places }) };
    });
    const named = (answer?.symbols ?? []).flatMap(row => {
      const parts = answer?.serving?.includes(row.id) === true ? ([SERVES, ...PARTS] as const) : PARTS;
      return parts.map(part => ({ range: toNameRange(row), data: { id: row.id, folder: folder.uri, part } }));
    });
    return [...named, ...noted];
  }

  async #resolve(lens: CodeLens, token: CancellationToken): Promise<CodeLens> {
    const { questions, settings } = this.options;
    const data = lensData.safeParse(lens.data);
    const folder = data.success ? questions.folders.get(data.data.folder) : undefined;
    if (!data.success || folder === undefined) return lens;
    const { id, part } = data.data;
    throwIfCancelled(token);
    const counts = await questions.quietly(folder, 'lensCounts', { id }, token);
    if (counts === undefined || counts === null) return { ...lens, command: { title: 'no longer in the graph', command: '' } };
    if (part === SERVES) {
      const { item, serves = '', servedFor = [] } = counts;
      return { ...lens, command: this.#leading(serves, { folder: folder.uri, file: item.path, line: item.nameLine, places: servedFor }) };
    }
    const target: EditorTarget = { id, name: counts.item.name, folder: folder.uri };
    const command = EDITOR_COMMANDS[part];
    // What leads to nothing, or what the editor does not know, is text.
    const leads = settings().knows(command) && (part === 'references' ? counts.refs + counts.maybe : part === 'tests' ? counts.tests : 1) > 0;
    return { ...lens, command: { title: TITLES[part](counts), command: leads ? command : '', ...(leads ? { arguments: [target] } : {}) } };
  }

  /** What leads to nothing, or what the editor does not know, is text. */
  #leading(title: string, target: PlacesTarget): Command {
    const leads = target.places.length > 0 && this.options.settings().knows(EDITOR_COMMANDS.showPlaces);
    return leads ? { title, command: EDITOR_COMMANDS.showPlaces, arguments: [target] } : { title, command: '' };
  }
}

const TITLES: Readonly<Record<(typeof PARTS)[number], (counts: LensCounts) => string>> = {
  references: ({ maybe, refs }) => `${counted(refs, 'ref')}${maybe > 0 ? ` + ${figure(maybe)} possible` : ''}`,
  tests: ({ complete, tests }) => (tests === 0 ? 'no tests' : counted(tests, 'test', complete)),
  impact: ({ complete, files, outsideUser, reach, refs, tests }) => {
    // What is used outside reaches further than the workspace shows.
    if (reach === 'unknown' && files === 0) {
      if (outsideUser !== 'anyone') return 'called by a framework';
      return refs > 0 && tests > 0 ? 'public, used only by tests here' : 'public, not used in this workspace';
    }
    if (reach === 'unknown') return `reaches at least ${counted(files, 'file', true)}`;
    return `reaches ${counted(files, 'file', complete)}`;
  },
};

function counted(count: number, noun: string, complete = true): string {
  return count === 0 ? `no ${noun}s` : `${figure(count)}${complete ? '' : '+'} ${noun}${count === 1 && complete ? '' : 's'}`;
}
