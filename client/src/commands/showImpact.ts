import { Uri, window } from 'vscode';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import type { ImpactView } from '../views/impactView';
import { targetOf } from './target';

/** Shows in the Impact view what depends on a symbol. */
export async function showImpact({ server, impact }: { readonly server: LatticeServer; readonly impact: ImpactView }, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to show the impact of');
  if (target !== undefined) await impact.show(target);
}

/** The same for what is not committed: in the repository that Source Control speaks of, else in the folder of the active editor. */
export async function showImpactOfChanges({ impact }: { readonly impact: ImpactView }, argument: unknown): Promise<void> {
  const root = (argument as { readonly rootUri?: Uri } | undefined)?.rootUri;
  const folders = indexedFolders();
  const folder = folderUriFor(root instanceof Uri ? root : window.activeTextEditor?.document.uri) ?? folders[0]?.uri;
  if (folder === undefined) throw new Refusal('Open a folder first.');
  const where = folders.length > 1 ? ` in ${folders.find(each => each.uri === folder)?.name ?? ''}` : '';
  await impact.show({ id: '', name: `uncommitted changes${where}`, folder, since: 'HEAD' });
}
