/**
 * Every command that the manifest contributes is run in the real editor where it belongs, and does what it says: those of `ELSEWHERE` by the
 * checks of other files, all others in `commands`, from palette, views, menus and titles.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changesCommands, treeCommands } from './commands/codeViewCommands.mjs';
import { editorCommands, testCommands } from './commands/editorCommands.mjs';
import { agentCommands, knowledgeCommands, workCommands } from './commands/recordViewCommands.mjs';
import { startAgent } from './knowledgeTests.mjs';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The file whose checks run a command, and the words with which they do. */
const ELSEWHERE = {
  'lattice.search': ['featureTests.mjs', "'Lattice: Search Code'"],
  'lattice.showImpact': ['featureTests.mjs', "'Lattice: Show Impact'"],
  'lattice.showImpactOfChanges': ['featureTests.mjs', "'Show Impact of Uncommitted Changes'"],
  'lattice.exportImpact': ['featureTests.mjs', "'Lattice: Export Impact'"],
  'lattice.pinImpact': ['featureTests.mjs', "'Pin'"],
  'lattice.unpinImpact': ['featureTests.mjs', "'Unpin'"],
  'lattice.runAffectedTests': ['featureTests.mjs', "'Run Affected Tests'"],
  'lattice.showActions': ['featureTests.mjs', "'Lattice: Show Actions'"],
  'lattice.setUpAgents': ['featureTests.mjs', "'Lattice: Set Up Agents'"],
  'lattice.preview.write': ['featureTests.mjs', "'Write File'"],
  'lattice.restartServer': ['featureTests.mjs', "'Lattice: Restart Language Server'"],
  'lattice.showBranchImpact': ['featureTests.mjs', "'Lattice: Show Impact of My Branch'"],
  'lattice.copyChanges': ['featureTests.mjs', "'Copy Changes as Markdown'"],
  'lattice.explainSymbol': ['pageTests.mjs', "'Lattice: Explain Symbol'"],
  'lattice.showHealth': ['pageTests.mjs', "'Lattice: Show Index Health'"],
  'lattice.openReport': ['pageTests.mjs', "'Lattice: Open Index Report'"],
  'lattice.copyMcpConfiguration': ['pageTests.mjs', "'Lattice: Copy MCP Configuration'"],
  'lattice.setEmbedderKey': ['keyTests.mjs', "'Lattice: Set Embedding Service API Key'"],
  'lattice.rebuildIndex': ['suites/shop.cjs', "'lattice.rebuildIndex'"],
  'lattice.architecture.acceptViolation': ['suites/shop.cjs', "'Accept this violation'"],
  'lattice.architecture.goToRule': ['suites/shop.cjs', "'Go to rule'"],
  'lattice.openGraph': ['graphTests.mjs', "'Lattice: Show in Graph'"],
  'lattice.openWorkspaceGraph': ['graphTests.mjs', "'Lattice: Show Workspace Graph'"],
  'lattice.openSearchGraph': ['graphTests.mjs', "'Lattice: Show Search Results in Graph'"],
  'lattice.openImpactGraph': ['realCodeTests.mjs', "'Lattice: Show Impact Graph'"],
  'lattice.openChangesGraph': ['graphTests.mjs', "'Lattice: Show Impact Graph of Uncommitted Changes'"],
  'lattice.openRangeGraph': ['graphTests.mjs', "'Lattice: Show Impact Graph of Commits'"],
  'lattice.openCommunityGraph': ['graphTests.mjs', "'Lattice: Show Community in Graph'"],
  'lattice.openPathGraph': ['graphTests.mjs', "'Lattice: Show Path Between Symbols'"],
  'lattice.openSavedGraph': ['graphTests.mjs', "'Lattice: Open Saved Graph'"],
  'lattice.openServiceGraph': ['servicesTests.mjs', "'Lattice: Show Service Map'"],
  'lattice.openFlowGraph': ['servicesTests.mjs', "'Lattice: Show Flow of Endpoint'"],
  'lattice.showServicePlaces': ['servicesTests.mjs', "lens('calls GET /orders/{id} · orders').locator('a').click()"],
  'lattice.writeServiceContext': ['servicesTests.mjs', "'Lattice: Write Service Context to Agent Instructions'"],
  'lattice.removeServiceContext': ['servicesTests.mjs', "'Lattice: Remove Service Context from Agent Instructions'"],
  'lattice.newMolecule': ['knowledgeTests.mjs', "'Lattice: New Molecule'"],
  'lattice.newAtom': ['knowledgeTests.mjs', "'Lattice: New Atom'"],
  'lattice.editKnowledge': ['knowledgeTests.mjs', "'Edit Knowledge'"],
  'lattice.showKnowledgeChangelog': ['knowledgeTests.mjs', "'Show Knowledge Changelog'"],
  'lattice.showKnowledgeVersions': ['knowledgeTests.mjs', "'Show Knowledge Versions'"],
  'lattice.restoreKnowledge': ['knowledgeTests.mjs', "'Lattice: Restore Deleted Knowledge'"],
  'lattice.deleteKnowledge': ['knowledgeTests.mjs', "'Delete Knowledge'"],
  'lattice.saveMergedKnowledge': ['knowledgeTests.mjs', "'Save Merged Knowledge'"],
  'lattice.exportKnowledge': ['knowledgeTests.mjs', "'Lattice: Export Knowledge'"],
  'lattice.importKnowledge': ['knowledgeTests.mjs', "'Lattice: Import Knowledge'"],
  'lattice.resolveKnowledge': ['knowledgeTests.mjs', "'Lattice: Resolve Knowledge Conflict'"],
  'lattice.newTask': ['workTests.mjs', "'Lattice: New Task'"],
  'lattice.filterWork': ['workTests.mjs', "'Filter Work'"],
  'lattice.startWork': ['workTests.mjs', "'Start Work'"],
  'lattice.completeWork': ['workTests.mjs', "'Complete Work'"],
  'lattice.blockWork': ['workTests.mjs', '/^Block/'],
  'lattice.unblockWork': ['workTests.mjs', "'Unblock Work'"],
  'lattice.reopenWork': ['workTests.mjs', '/^Reopen/'],
  'lattice.groupChangesByReach': ['changesTests.mjs', "'Sort by Reach'"],
  'lattice.groupChangesByFile': ['changesTests.mjs', "'Group by File'"],
  'lattice.groupChangesByAuthor': ['changesTests.mjs', "'Group by Author'"],
  'lattice.showHistory': ['changesTests.mjs', "'Lattice: Show History'"],
  'lattice.compareGraph': ['changesTests.mjs', "'Lattice: Compare Graph with'"],
  'lattice.showChangesSince': ['changesTests.mjs', "'Lattice: Show Changes Since'"],
  'lattice.markCheckpoint': ['changesTests.mjs', "'Lattice: Mark Checkpoint'"],
  'lattice.clearHistory': ['changesTests.mjs', "'Lattice: Clear History'"],
};

/** `workspace` is the sample shop with services beside it, in a repository whose branch has changed `totalOf`. */
export async function commandTests(report, { window, folders, workspace }) {
  const { contributes } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const words = JSON.parse(readFileSync(join(project, 'package.nls.json'), 'utf8'));
  const titles = new Map(contributes.commands.map(({ command, title }) => [command, (words[title.slice(1, -1)] ?? title).replace(/\.\.\.$/, '')]));
  const check = window.checks(report);
  const ran = new Set();
  /** The check of a command; `run` gets its title. */
  const command = (id, run) => {
    const title = titles.get(id);
    ran.add(id);
    return check(`${title ?? id} does what it says`, () => run(title));
  };
  const parts = { window, page: window.page, folders, workspace, command };
  const agent = await startAgent({ workspace, folders });
  try {
    await remember(agent);
    await editorCommands(parts);
    await testCommands(parts);
    await treeCommands(parts);
    await changesCommands(parts);
    await knowledgeCommands({ ...parts, agent });
    await workCommands({ ...parts, agent });
    await agentCommands({ ...parts, agent });
  } finally {
    await agent.close();
  }
  await check('every contributed command is run by a check', () => {
    for (const [id, [file, text]] of Object.entries(ELSEWHERE))
      assert.ok(readFileSync(join(project, 'test', 'editor', file), 'utf8').includes(text), `${file} does not run ${id}`);
    assert.deepEqual(new Set([...ran, ...Object.keys(ELSEWHERE)]), new Set(titles.keys()));
  });
}

/** Something of each kind that the views show. */
async function remember(agent) {
  const decide = (title, content) =>
    agent.call('episode_add', {
      agentId: 'ada',
      type: 'DECISION',
      content,
      metadata: { title, rationale: 'measured', tradeoffs: ['none'], affectedFiles: ['api/src/money.ts'] },
    });
  await decide('Cents only', 'Amounts are whole cents.');
  await decide('No rounding', 'Nothing is rounded twice.');
  await decide('One currency', 'An order has one currency.');
  await agent.call('agent_claim', { agentId: 'ada', targetId: 'api/src/money.ts', claimType: 'file', intent: 'Hash the keys' });
  const { id: moleculeId } = await agent.call('manage_graph', { operation: 'create', entityType: 'molecule', name: 'Prices', createdByTaskId: 'manual' });
  const atom = { entityType: 'atom', name: 'Sums', paths: ['api/src/money.ts'], knowledge: 'In cents.', moleculeId, createdByTaskId: 'manual' };
  await agent.call('manage_graph', { operation: 'create', ...atom });
  for (const name of ['Expire baskets', 'Split the order'])
    await agent.call('manage_container', { operation: 'create', containerType: 'task', name, summary: 'As decided.\nSee above.' });
  const { items } = await agent.call('query_container', { operation: 'search', containerType: 'task', query: 'Split the order' });
  await agent.call('task_update', { taskId: items[0].id, status: 'in_progress' });
}
