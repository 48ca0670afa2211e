import { type QuickInputButton, ThemeIcon, ViewColumn } from 'vscode';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { ImpactView } from '../views/impactView';
import { openAt } from '../views/openAt';
import { showImpact } from './showImpact';
import { askForSymbol, targetOfHit } from './symbolSearch';

const openToSide: QuickInputButton = { iconPath: new ThemeIcon('split-horizontal'), tooltip: 'Open to the Side' };
const impactOf: QuickInputButton = { iconPath: new ThemeIcon('type-hierarchy-sub'), tooltip: 'Show Impact' };

/** Searches names, paths and doc comments while the user types; Enter opens. */
export async function search({ server, impact }: { readonly server: LatticeServer; readonly impact: ImpactView }): Promise<void> {
  const chosen = await askForSymbol(server, 'Search symbols and files by name, path or what they do', [openToSide, impactOf]);
  if (chosen === undefined) return;
  const { hit, button } = chosen;
  if (button === impactOf) await showImpact({ server, impact }, targetOfHit(hit));
  else await openAt(uriOf(hit.folder, hit.path), hit.nameLine, button === openToSide ? ViewColumn.Beside : undefined);
}
