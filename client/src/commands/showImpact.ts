import { type QuickPickItem, QuickPickItemKind, Uri, window } from 'vscode';
import { iconOf, uriOf } from '../answers';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import { type Impact, type ImpactItem, isEmpty } from '../views/impact';
import type { ImpactView } from '../views/impactView';
import { openAt } from '../views/openAt';
import type { Target } from './symbolSearch';
import { targetOf } from './target';

interface Row extends QuickPickItem {
  readonly item?: ImpactItem;
}

/** Fills the Impact view with what depends on a symbol and offers the same list as a quick pick. */
export async function showImpact({ server, impact }: { readonly server: LatticeServer; readonly impact: ImpactView }, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to show the impact of');
  if (target !== undefined) await present(impact, target);
}

/** The same for what is not committed: in the repository that Source Control speaks of, else in the folder of the active editor. */
export async function showImpactOfChanges({ impact }: { readonly impact: ImpactView }, argument: unknown): Promise<void> {
  const root = (argument as { readonly rootUri?: Uri } | undefined)?.rootUri;
  const folders = indexedFolders();
  const folder = folderUriFor(root instanceof Uri ? root : window.activeTextEditor?.document.uri) ?? folders[0]?.uri;
  if (folder === undefined) throw new Refusal('Open a folder first.');
  const where = folders.length > 1 ? ` in ${folders.find(each => each.uri === folder)?.name ?? ''}` : '';
  await present(impact, { id: '', name: `uncommitted changes${where}`, folder, since: 'HEAD' });
}

async function present(impact: ImpactView, target: Target): Promise<void> {
  const found = await impact.show(target);
  if (isEmpty(found)) return;
  const chosen = await window.showQuickPick(quickPickRows(found), {
    title: `Impact of ${target.name}`,
    placeHolder: 'Select a dependent to open. The full list is in the Impact view.',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.item !== undefined) await openAt(uriOf(target.folder, chosen.item.path), chosen.item.line);
}

function quickPickRows({ dependents, tests, maybe }: Impact): Row[] {
  const direct = dependents.filter(item => item.depth <= 1);
  const others = dependents.filter(item => item.depth > 1);
  return [...section('direct', direct), ...section('indirect', others), ...section('tests', tests), ...section('maybe', maybe)];
}

function section(title: string, items: readonly ImpactItem[]): Row[] {
  if (items.length === 0) return [];
  const rows = items.map(item => ({
    label: item.name,
    iconPath: iconOf(item.kind),
    description: `${item.certainty} ${item.how}`.trim(),
    detail: `${item.path}:${item.line}`,
    item,
  }));
  return [{ label: title, kind: QuickPickItemKind.Separator }, ...rows];
}
