import { type QuickPickItem, QuickPickItemKind, type Uri, window } from 'vscode';
import { iconOf, type ImpactItem, isMaybe, uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { Impact } from '../views/impact';
import type { ImpactView } from '../views/impactView';
import { openAt } from '../views/openAt';
import { targetOf } from './target';

interface Row extends QuickPickItem {
  readonly item?: ImpactItem;
}

/** Fills the Impact view with what depends on a symbol and offers the same list as a quick pick. */
export async function showImpact({ server, impact }: { readonly server: LatticeServer; readonly impact: ImpactView }, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Show the impact of which symbol?');
  if (target === undefined) return;
  const found = await impact.show(target);
  if (found.items.length === 0) return;
  const chosen = await window.showQuickPick(quickPickRows(found), {
    title: found.title,
    placeHolder: 'Open a dependent, or press Escape to keep the list in the Impact view',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.item !== undefined) await open(target.folder, chosen.item);
}

function open(folder: Uri, item: ImpactItem): Promise<void> {
  return openAt(uriOf(folder, item.file), item.line);
}

function quickPickRows(impact: Impact): Row[] {
  const facts = impact.items.filter(item => !isMaybe(item) && !item.test);
  return [
    ...section(
      'depends on it directly',
      facts.filter(item => item.depth <= 1),
    ),
    ...section(
      'depends on it through others',
      facts.filter(item => item.depth > 1),
    ),
    ...section(
      'tests',
      impact.items.filter(item => item.test && !isMaybe(item)),
    ),
    ...section('maybe', impact.items.filter(isMaybe)),
  ];
}

function section(title: string, items: readonly ImpactItem[]): Row[] {
  if (items.length === 0) return [];
  return [
    { label: title, kind: QuickPickItemKind.Separator },
    ...items.map(item => ({ label: item.name, iconPath: iconOf(item.kind), description: `${item.file}:${item.line}`, detail: evidence(item), item })),
  ];
}

function evidence(item: ImpactItem): string {
  const how = item.relation === '' ? 'depends on it' : item.relation.replaceAll('_', ' ');
  const via = item.via === '' ? '' : ` ${item.via}`;
  return `${how}${via}${isMaybe(item) ? `, ${Math.round(item.confidence * 100)} % sure` : ''}`;
}
