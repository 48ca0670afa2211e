/** The import law (law.cjs) as rules for dependency-cruiser. */
const { rooms, nodeRooms, libraries } = require('./law.cjs');

const names = Object.keys(rooms);
const src = 'server/src';
const pattern = list => `^${src}/(?:${list.join('|')})(?:/|$)`;
/** Files of a room itself: `code/parse` is not part of a room called `code`. */
const roomOf = room => `^${src}/${room}/`;
/** Rooms inside a room have rows of their own. */
const innerRooms = room => names.filter(other => other.startsWith(`${room}/`)).map(roomOf);
const libraryPattern = name => `(?:^|/)node_modules/${name.replace('/', '\\/')}/`;

const directions = names
  .filter(room => !rooms[room].includes('*'))
  .map(room => ({
    name: `law: ${room}`,
    comment: `${room} may import only itself${rooms[room].length > 0 ? ` and ${rooms[room].join(', ')}` : ''}. To change that, edit law.cjs.`,
    severity: 'error',
    from: { path: roomOf(room), pathNot: innerRooms(room) },
    to: { path: `^${src}/`, pathNot: pattern([room, ...rooms[room]]) },
  }));

/** Files directly in a room are its door; sub-folders are private to it. */
const doors = names.map(room => ({
  name: `door: ${room}`,
  comment: `Only files directly in ${room} may be imported from outside.`,
  severity: 'error',
  from: { path: '^(?:server|client|webview)/', pathNot: roomOf(room) },
  to: { path: `${roomOf(room)}[^/]+/`, pathNot: innerRooms(room) },
}));

const fences = Object.entries(libraries).map(([library, allowed]) => ({
  name: `library: ${library}`,
  comment: `${library} lives in ${allowed.join(', ')} only.`,
  severity: 'error',
  from: { path: `^${src}/`, pathNot: pattern([...allowed, 'main']) },
  to: { path: libraryPattern(library) },
}));

module.exports = {
  forbidden: [
    ...directions,
    ...doors,
    ...fences,
    {
      name: 'unknown room',
      comment: 'Every folder of server/src takes a row in law.cjs.',
      severity: 'error',
      from: { path: `^${src}/`, pathNot: names.map(roomOf) },
      to: {},
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(?:vscode$|worker:)' } },
    {
      name: 'pure core',
      comment: 'The core touches no outside: Node belongs to the Node rooms.',
      severity: 'error',
      from: { path: `^${src}/`, pathNot: pattern(nodeRooms) },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'protocol stands alone', severity: 'error', from: { path: '^server/protocol/' }, to: { pathNot: '^server/protocol/' } },
    {
      name: 'protocol users',
      comment: 'In the server only transports, session and main speak the protocol.',
      severity: 'error',
      from: { path: `^${src}/`, pathNot: pattern(['features', 'transports', 'session', 'main']) },
      to: { path: '^server/protocol/' },
    },
    {
      name: 'protocol in features',
      comment: 'A feature may give its answer the shape that a page reads, and knows nothing else of the protocol.',
      severity: 'error',
      from: { path: `^${src}/features/` },
      to: { path: '^server/protocol/', pathNot: '^server/protocol/(?:report|graphView)\\.ts$' },
    },
    { name: 'client', severity: 'error', from: { path: '^client/' }, to: { path: '^(?:server/src|webview|test)/' } },
    { name: 'webview', severity: 'error', from: { path: '^webview/' }, to: { path: '^(?:server/src|client|test)/' } },
    { name: 'cytoscape', severity: 'error', from: { path: '^webview/', pathNot: '^webview/src/graph/' }, to: { path: libraryPattern('cytoscape') } },
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
