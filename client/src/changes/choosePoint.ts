import { type Memento, type QuickPickItem, QuickPickItemKind, type Uri, window } from 'vscode';
import type { PointsAnswer } from '../../../server/protocol/features';
import { counted } from '../../../server/protocol/figures';
import { exactDate, relativeAndExactDate, relativeDate } from '../dates';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { Start } from './changesView';

const LOOKED = 'lattice.lastLooked';
/** A window that was left for less than this was not left. */
const AWAY_MS = 30 * 60_000;

/** When the user last worked in this window: the end of the time before the current one. */
interface Looked {
  readonly last: number;
  readonly before: number | undefined;
}

/** States to compare with; when the user last looked is kept in the workspace's own storage of the editor. */
export class ComparisonPoints {
  constructor(
    private readonly storage: Memento,
    private readonly server: LatticeServer,
  ) {}

  /** The user is looking at the window. */
  async seen(now: number): Promise<void> {
    const known = this.storage.get<Looked>(LOOKED);
    const before = known !== undefined && now - known.last > AWAY_MS ? known.last : known?.before;
    await this.storage.update(LOOKED, { last: now, before });
  }

  /** Asks for a name and keeps the current state under it. `undefined` when the user leaves. */
  async mark(folder: Uri): Promise<string | undefined> {
    const prompt = 'Name of the checkpoint. It includes uncommitted changes, but not unsaved ones.';
    const name = (await window.showInputBox({ title: 'Mark Checkpoint', prompt, value: new Date().toLocaleString() }))?.trim();
    if (name === undefined || name === '') return undefined;
    await this.server.ask('markCheckpoint', { name }, folder);
    return name;
  }

  /** Lets the user choose a state to compare with. */
  async choose(folder: Uri, title: string): Promise<Start | 'branch' | undefined> {
    const points = this.server.ask('points', {}, folder);
    const chosen = await window.showQuickPick<PointRow>(
      points.then(found => this.rows(found)),
      { title, placeHolder: 'Select a state to compare the current code with', matchOnDescription: true, matchOnDetail: true },
    );
    if (chosen?.typed !== true) return chosen?.start;
    const word = await window.showInputBox({ title, prompt: 'Commit, branch, tag, date (2026-01-31), transaction, or agent:NAME' });
    return word === undefined || word.trim() === '' ? undefined : { word: word.trim(), label: word.trim() };
  }

  private rows({ checkpoints, commits, references, transactions }: PointsAnswer): PointRow[] {
    const looked = this.storage.get<Looked>(LOOKED)?.before;
    const away =
      looked === undefined ? [] : [row('$(eye)', 'Last Viewed', relativeAndExactDate(looked), { word: new Date(looked).toISOString(), label: 'last viewed' })];
    const marked = checkpoints.map(({ at, name, word }) => row('$(bookmark)', name, relativeAndExactDate(at), { word, label: name }));
    const icons = { branch: '$(git-branch)', remote: '$(cloud)', tag: '$(tag)' } as const;
    return [
      { label: '$(git-merge) Start of the Branch', description: 'merge base with the main branch', start: 'branch' },
      { label: '$(git-commit) Last Commit', description: 'uncommitted changes', start: { word: 'commit:HEAD', label: 'the last commit' } },
      ...away,
      { label: '$(pencil) Enter Commit, Date, or Transaction...', typed: true },
      ...section('Checkpoints', marked),
      ...section(
        'Branches and tags',
        references.map(({ at, kind, name, word }) => row(icons[kind], name, relativeAndExactDate(at), { word, label: name })),
      ),
      ...section(
        'Commits',
        commits.map(({ at, commit, subject, word }) =>
          row('$(git-commit)', subject, `${commit.slice(0, 7)} · ${relativeAndExactDate(at)}`, { word, label: commit.slice(0, 7) }),
        ),
      ),
      ...section(
        'Transactions',
        transactions.map(({ agent, at, commit, files, isDirty, word }) =>
          row(
            '$(history)',
            relativeDate(new Date(at).toISOString(), Date.now()),
            [
              exactDate(at),
              `${commit.slice(0, 7)}${isDirty ? ' with uncommitted changes' : ''}`.trim(),
              counted(files, 'file'),
              ...(agent === undefined ? [] : [agent]),
            ].join(' · '),
            {
              word,
              label: exactDate(at),
            },
          ),
        ),
      ),
    ];
  }
}

interface PointRow extends QuickPickItem {
  readonly start?: Start | 'branch';
  readonly typed?: true;
}

function row(icon: string, name: string, description: string, start: Start): PointRow {
  return { label: `${icon} ${name.replaceAll('$(', '$ (')}`, description, start };
}

function section(title: string, rows: readonly PointRow[]): PointRow[] {
  return rows.length === 0 ? [] : [{ label: title, kind: QuickPickItemKind.Separator }, ...rows];
}
