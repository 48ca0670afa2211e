/** Rules for dependency-cruiser. Which room imports which, and what of Node and of libraries, is for test/tidy/roomLaw.mjs. */
const { rooms } = require('./law.cjs');

const names = Object.keys(rooms);
const src = 'server/src';
/** Files of a room itself; those of rooms inside it are theirs. */
const filesOf = room => {
  const inner = names.filter(other => other.startsWith(`${room}/`)).map(other => `${other.slice(room.length + 1)}/`);
  return `^${src}/${room}/${inner.length > 0 ? `(?!${inner.join('|')})` : ''}`;
};
const libraryPattern = name => `(?:^|/)node_modules/${name.replace('/', '\\/')}/`;

/**
 * Files directly in a room are its door; sub-folders are private to it and to the rooms inside it. What an object is made of is nobody's business but that of
 * the file that makes it: `server/src/main/compose*` sees the parts that it joins.
 */
const doors = names.map(room => ({
  name: `door: only files directly in ${room} may be imported from outside`,
  severity: 'error',
  from: { path: '^(?:server|client|webview)/', pathNot: `^${src}/(?:${room}/|main/compose[^/]*$)` },
  to: { path: `${filesOf(room)}[^/]+/` },
}));

module.exports = {
  forbidden: [
    ...doors,
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(?:vscode$|worker:)' } },
    { name: 'protocol stands alone', severity: 'error', from: { path: '^server/protocol/' }, to: { pathNot: '^server/protocol/' } },
    {
      name: 'in the server only features, transports, session and main speak the protocol',
      severity: 'error',
      from: { path: `^${src}/`, pathNot: `^${src}/(?:features|transports|session|main)/` },
      // How names, figures, reasons of a risk and the lines of an answer are written is the same on both sides.
      to: { path: '^server/protocol/(?!(?:shownText|figures|riskReasons|answerParts|interfaceChanges)\\.ts$)' },
    },
    {
      name: 'of the protocol a feature knows what a scene may be asked for, the reasons of refusals, and how names, figures and changes are written, nothing else',
      severity: 'error',
      from: { path: `^${src}/features/` },
      to: { path: '^server/protocol/', pathNot: '^server/protocol/(?:graphView|refusals|shownText|figures|qualifiedNames|reachWords|interfaceChanges)\\.ts$' },
    },
    {
      name: 'the client imports the protocol and nothing else of ours',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(?:server/src|webview|test)/' },
    },
    {
      name: 'the page imports the protocol and nothing else of ours',
      severity: 'error',
      from: { path: '^webview/' },
      to: { path: '^(?:server/src|client|test)/' },
    },
    {
      name: 'cytoscape lives in webview/src/graph',
      severity: 'error',
      from: { path: '^webview/', pathNot: '^webview/src/graph/' },
      to: { path: libraryPattern('cytoscape') },
    },
    {
      name: 'extractors and parsers are loaded in parse threads alone: everything else starts without them',
      severity: 'error',
      from: { path: `^${src}/`, pathNot: `^${src}/(?:code/facts|code/parse|engine/parse)/|^${src}/main/workers/parseWorkerMain` },
      to: { path: `^${src}/code/facts/registry` },
    },
    {
      name: 'extractors are in the bundle of the parse worker and in no other',
      severity: 'error',
      from: { path: `^${src}/`, pathNot: `^${src}/engine/parse/parseWorker\\.ts$` },
      to: { path: `^${src}/engine/parse/fileParser\\.ts$` },
    },
    { name: 'nothing imports test', severity: 'error', from: { path: '^(?:server|client|webview)/' }, to: { path: '^test/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
