import { commands, env, type QuickInputButton, type QuickPickItem, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import type { CommitChangeParams, HistoryAnswer, HistoryItem, HistoryParams } from '../../../server/protocol/features';
import { counted } from '../../../server/protocol/figures';
import type { Target } from '../commands/symbolSearch';
import { targetOf } from '../commands/target';
import { exactDate, relativeAndExactDate } from '../dates';
import type { LatticeServer } from '../languageClient/latticeServer';
import { qualifiedName } from '../names';
import { Refusal } from '../refusal';
import type { PastDocuments } from './pastDocuments';

interface Parts {
  readonly server: LatticeServer;
  readonly past: PastDocuments;
}

const WITH_CURRENT: QuickInputButton = { iconPath: new ThemeIcon('compare-changes'), tooltip: 'Compare with Current' };
const WITH_OTHER: QuickInputButton = { iconPath: new ThemeIcon('git-compare'), tooltip: 'Compare with Another Commit...' };
const COPY: QuickInputButton = { iconPath: new ThemeIcon('copy'), tooltip: 'Copy Commit Hash' };

interface Row extends QuickPickItem {
  readonly item?: HistoryItem;
}

interface Choice {
  readonly item: HistoryItem;
  readonly button: QuickInputButton | undefined;
}

/** Lists what happened to a symbol or file: a commit opens what it made of it, in the editor's diff view. */
export async function showHistory({ past, server }: Parts, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to show the history of');
  if (target === undefined) return;
  const question: HistoryParams = { id: target.id };
  const history = await server.ask('history', question, target.folder);
  if (history.items.length === 0) {
    const why = history.commits === 0 ? 'Past commits have not been read yet, or this folder is not in a Git repository.' : 'No commit has changed it.';
    throw new Refusal(`There is no history of ${qualifiedName(target.id)}. ${why}`);
  }
  const chosen = await choose(`History of ${qualifiedName(target.id)}`, placeholderOf(history), rowsOf(history), [WITH_CURRENT, WITH_OTHER, COPY]);
  if (chosen === undefined) return;
  const { button, item } = chosen;
  if (item.kind === 'decision' || item.kind === 'edit') return void (await commands.executeCommand('lattice.agents.focus'));
  if (button === COPY) {
    await env.clipboard.writeText(item.ref);
    window.setStatusBarMessage('$(copy) Copied commit hash', 5000);
  } else if (item.kind === 'transaction') await compareWithCurrent(past, target, history, `tx::${item.ref}`, exactDate(item.at));
  else if (button === WITH_CURRENT) await compareWithCurrent(past, target, history, ...(await versionAt(server, target, item)));
  else if (button === WITH_OTHER) await compareWithOther({ past, server }, target, history, item);
  else await showCommit({ past, server }, target, item);
}

function placeholderOf({ total }: HistoryAnswer): string {
  return total === 0 ? 'No commits' : `${counted(total, 'commit')}. Select one to see what it changed.`;
}

function rowsOf({ items }: HistoryAnswer): Row[] {
  const rows: Row[] = [];
  let year = '';
  for (const item of items) {
    const own = String(new Date(item.at).getFullYear());
    if (own !== year) rows.push({ label: own, kind: QuickPickItemKind.Separator });
    year = own;
    rows.push(rowOf(item));
  }
  return rows;
}

const ICONS: Readonly<Record<HistoryItem['kind'], string>> = { commit: 'git-commit', transaction: 'history', decision: 'law', edit: 'edit' };

function rowOf(item: HistoryItem): Row {
  const by = item.by === undefined ? [] : [item.by];
  return {
    label: `$(${ICONS[item.kind]}) ${item.title.replaceAll('$(', '$ (')}`,
    description: item.kind === 'commit' ? item.ref.slice(0, 7) : item.kind === 'transaction' ? 'indexed' : item.kind,
    detail: [relativeAndExactDate(item.at), ...by, ...(item.kind === 'commit' && item.files !== undefined ? [counted(item.files, 'file')] : [])].join(' · '),
    item,
  };
}

/** The row that was accepted, or whose button was pressed; buttons stand on commits. */
function choose(title: string, placeholder: string, rows: readonly Row[], buttons: readonly QuickInputButton[]): Promise<Choice | undefined> {
  const pick = window.createQuickPick<Row>();
  pick.title = title;
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = rows.map(row => (row.item?.kind === 'commit' ? { ...row, buttons } : row));
  return new Promise<Choice | undefined>(resolve => {
    const end = (row: Row | undefined, button?: QuickInputButton): void => {
      resolve(row?.item === undefined ? undefined : { item: row.item, button });
      pick.hide();
    };
    pick.onDidAccept(() => end(pick.selectedItems[0]));
    pick.onDidTriggerItemButton(({ button, item }) => end(item, button));
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

async function changeIn(server: LatticeServer, target: Target, { ref }: HistoryItem) {
  const question: CommitChangeParams = { id: target.id, commit: ref };
  return server.ask('commitChange', question, target.folder);
}

/** What a commit made of the file of a symbol, at the symbol. */
async function showCommit({ past, server }: Parts, target: Target, item: HistoryItem): Promise<void> {
  const { at, before, line, oldPath, path } = await changeIn(server, target, item);
  const title = `${qualifiedName(target.id)} (${item.ref.slice(0, 7)}: ${item.title})`;
  await past.compare(target.folder, { path: oldPath ?? undefined, at: before }, { path: path ?? undefined, at }, title, line);
}

/** The state and path of a symbol after a commit, and what it is called. */
async function versionAt(server: LatticeServer, target: Target, item: HistoryItem): Promise<[at: string, label: string, path: string | undefined]> {
  const { at, path } = await changeIn(server, target, item);
  return [at, item.ref.slice(0, 7), path ?? undefined];
}

async function compareWithCurrent(
  past: PastDocuments,
  { folder, id }: Target,
  { path }: HistoryAnswer,
  at: string,
  label: string,
  oldPath: string | undefined = path,
): Promise<void> {
  await past.compare(folder, { path: oldPath, at }, { path, at: undefined }, `${qualifiedName(id)} (${label} ↔ Current)`);
}

async function compareWithOther({ past, server }: Parts, target: Target, history: HistoryAnswer, item: HistoryItem): Promise<void> {
  const others = history.items.filter(other => other.kind === 'commit' && other.ref !== item.ref);
  const rows = rowsOf({ ...history, items: others });
  const chosen = await choose(`History of ${qualifiedName(target.id)}`, `Select a commit to compare ${item.ref.slice(0, 7)} with`, rows, []);
  if (chosen === undefined) return;
  const [older, newer] = item.at <= chosen.item.at ? [item, chosen.item] : [chosen.item, item];
  const [[at, label, path], [newAt, newLabel, newPath]] = await Promise.all([versionAt(server, target, older), versionAt(server, target, newer)]);
  await past.compare(target.folder, { path, at }, { path: newPath, at: newAt }, `${qualifiedName(target.id)} (${label} ↔ ${newLabel})`);
}
