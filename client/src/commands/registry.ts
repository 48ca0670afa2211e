import { commands, type Disposable, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { ARCHITECTURE_COMMANDS } from '../../../server/protocol/architecture';
import { EDITOR_COMMANDS } from '../../../server/protocol/editorCommands';
import { copyMcpConfiguration } from '../agents/copyMcpConfiguration';
import { setUpAgents } from '../agents/setUpAgents';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showError, showWarning } from '../messages';
import { Refusal } from '../refusal';
import { removeServiceContext, writeServiceContext } from '../services/serviceContextFiles';
import type { ServicesView } from '../services/servicesView';
import { showServicePlaces } from '../services/showPlaces';
import { type AffectedTests, testGroupOf } from '../tests/affectedTests';
import type { ImpactView } from '../views/impactView';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import type { PreviewDocuments } from '../views/previewDocuments';
import type { StructureView } from '../views/structureView';
import { approveTestCommand } from './approveTestCommand';
import { acceptArchitectureBaseline, acceptViolation, addException, goToRule, proposeArchitectureRules } from './architecture';
import { setEmbedderKey } from './embedderKey';
import { explainSymbol } from './explainSymbol';
import { rebuildIndex, restartServer, showHealth } from './indexCommands';
import { openNode } from './openNode';
import { openReport } from './openReport';
import { openUse } from './openUse';
import { search } from './search';
import { showActions } from './showActions';
import { showImpact, showImpactOfChanges } from './showImpact';
import { showReferences, showTests } from './showUses';

export interface CommandParts {
  readonly context: ExtensionContext;
  readonly server: LatticeServer;
  readonly documents: MarkdownDocuments;
  readonly previews: PreviewDocuments;
  readonly impact: ImpactView;
  readonly structure: StructureView;
  readonly services: ServicesView;
  readonly affectedTests: AffectedTests;
  readonly log: LogOutputChannel;
}

/** Every command of the extension; ids and titles stand in package.json. */
export function registerCommands(parts: CommandParts): Disposable[] {
  const table: Readonly<Record<string, (argument: unknown) => unknown>> = {
    'lattice.search': () => search(parts),
    'lattice.showImpact': argument => showImpact(parts, argument),
    'lattice.showImpactOfChanges': argument => showImpactOfChanges(parts, argument),
    'lattice.approveTestCommand': () => approveTestCommand(parts),
    'lattice.explainSymbol': argument => explainSymbol(parts, argument),
    'lattice.rebuildIndex': () => rebuildIndex(parts),
    'lattice.showHealth': () => showHealth(parts),
    'lattice.openReport': () => openReport(parts),
    'lattice.copyMcpConfiguration': () => copyMcpConfiguration(parts),
    'lattice.setUpAgents': () => setUpAgents(parts),
    'lattice.runAffectedTests': argument => parts.affectedTests.runAffected(testGroupOf(argument)),
    'lattice.showReferences': argument => showReferences(parts, argument),
    'lattice.showTests': argument => showTests(parts, argument),
    'lattice.showActions': () => showActions(parts),
    'lattice.openNode': argument => openNode(parts, argument),
    'lattice.openUse': argument => openUse(argument),
    'lattice.acceptArchitectureBaseline': () => acceptArchitectureBaseline(parts),
    'lattice.proposeArchitectureRules': () => proposeArchitectureRules(parts),
    [ARCHITECTURE_COMMANDS.accept]: argument => acceptViolation(parts, argument),
    [ARCHITECTURE_COMMANDS.except]: argument => addException(parts, argument),
    [ARCHITECTURE_COMMANDS.goToRule]: argument => goToRule(argument),
    'lattice.writeServiceContext': () => writeServiceContext(parts),
    'lattice.removeServiceContext': () => removeServiceContext(parts),
    [EDITOR_COMMANDS.showPlaces]: argument => showServicePlaces(argument),
    'lattice.refreshServices': () => parts.services.reload(),
    'lattice.setEmbedderKey': () => setEmbedderKey(parts),
    'lattice.restartServer': () => restartServer(parts),
    'lattice.showLog': () => parts.log.show(),
    'lattice.refreshImpact': () => parts.impact.refresh(),
    'lattice.clearImpact': () => parts.impact.clear(),
    'lattice.pinImpact': () => parts.impact.pin(),
    'lattice.unpinImpact': argument => parts.impact.unpin(argument),
    'lattice.exportImpact': argument => parts.impact.export(argument),
    'lattice.refreshStructure': () => parts.structure.refresh(),
    'lattice.runTestsThatReach': argument => parts.affectedTests.runTestsThatReach(argument),
  };
  return Object.entries(table).map(([id, run]) => commands.registerCommand(id, (argument: unknown) => guarded(parts.log, id, () => run(argument))));
}

/** Runs a command; a failure becomes one message, never an unhandled rejection. */
export async function guarded(log: LogOutputChannel, id: string, run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Refusal) {
      void showWarning(message);
      return undefined;
    }
    log.error(`${id}: ${error instanceof Error ? (error.stack ?? message) : message}`);
    void showError(`Lattice: ${message}`, 'Show Log').then(choice => {
      if (choice !== undefined) log.show();
    });
    return undefined;
  }
}
