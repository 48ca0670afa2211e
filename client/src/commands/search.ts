import { commands, type ExtensionContext, env, type QuickInputButton, ThemeIcon, ViewColumn, window } from 'vscode';
import { EDITOR_COMMANDS } from '../../../server/protocol/editorCommands';
import { succeeded, uriOf } from '../answers';
import { hasCommand } from '../contributions';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { ImpactView } from '../views/impactView';
import { openAt } from '../views/openAt';
import { PlacePreview } from '../views/placePreview';
import { showImpact } from './showImpact';
import { askForSymbol, type Choice, targetOfHit } from './symbolSearch';

export interface SearchParts {
  readonly context: ExtensionContext;
  readonly server: LatticeServer;
  readonly impact: ImpactView;
}

interface Action {
  readonly button: QuickInputButton;
  /** Whether it makes sense for a kind of hit. */
  readonly fits: (kind: string) => boolean;
  run(parts: SearchParts, hit: Choice['hit']): Promise<unknown>;
}

const always = (): boolean => true;
const inProject = (kind: string): boolean => kind !== 'external';

const ACTIONS: readonly (Action & { readonly command?: string })[] = [
  {
    button: { iconPath: new ThemeIcon('split-horizontal'), tooltip: 'Open to the Side' },
    fits: inProject,
    run: (_, hit) => openAt(uriOf(hit.folder, hit.path), hit.nameLine, ViewColumn.Beside),
  },
  {
    button: { iconPath: new ThemeIcon('circuit-board'), tooltip: 'Show in Graph' },
    fits: always,
    command: EDITOR_COMMANDS.graph,
    run: async (_, hit) => commands.executeCommand(EDITOR_COMMANDS.graph, targetOfHit(hit)),
  },
  {
    button: { iconPath: new ThemeIcon('type-hierarchy-sub'), tooltip: 'Show Impact' },
    fits: always,
    run: (parts, hit) => showImpact(parts, targetOfHit(hit)),
  },
  {
    button: { iconPath: new ThemeIcon('copy'), tooltip: 'Copy Source with Dependencies' },
    fits: inProject,
    run: (parts, hit) => copyContext(parts, hit),
  },
];

/** Finds anything in the graph while the user types: Enter opens, the buttons of a row do more, the place is previewed beside. */
export async function search(parts: SearchParts): Promise<void> {
  const actions = ACTIONS.filter(({ command }) => command === undefined || hasCommand(parts.context, command));
  const chosen = await askForSymbol(parts.server, {
    title: 'Search Code',
    question: 'Search for symbols and files by name, path or purpose',
    buttonsOf: hit => actions.filter(action => action.fits(hit.kind)).map(action => action.button),
    preview: new PlacePreview(),
  });
  if (chosen === undefined) return;
  const { hit, button } = chosen;
  const action = actions.find(candidate => candidate.button === button);
  if (action !== undefined) await action.run(parts, hit);
  else await openAt(uriOf(hit.folder, hit.path), hit.nameLine);
}

/** Puts the exact source of a hit on the clipboard, with what it calls, for a chat or a review. */
async function copyContext({ server }: SearchParts, hit: Choice['hit']): Promise<void> {
  const asked = hit.kind === 'file' ? { file: hit.path } : { symbol: hit.id, context: 'with-deps' as const };
  const answer = succeeded(await server.callTool('semantic_slice', { ...asked, profile: 'balanced' }, { uri: hit.folder.toString() }));
  await env.clipboard.writeText(answer.text);
  void window.setStatusBarMessage(`$(copy) Copied source of ${hit.name}`, 5000);
}
