/**
 * Import law of server/src: each room may import itself and the rooms named here; `main` may import all.
 * `npm run law` checks it. The table in ARCHITECTURE.md is written from it by `npm run update`.
 */
const rooms = {
  base: [],
  model: ['base'],
  algorithms: ['base'],
  'code/files': ['base', 'model'],
  'code/parse': ['base', 'model'],
  'code/facts': ['base', 'model', 'code/parse'],
  'code/resolve': ['base', 'model'],
  'code/graph': ['base', 'model', 'algorithms'],
  search: ['base', 'model', 'search/vectors'],
  'search/vectors': ['base', 'model', 'search'],
  knowledge: ['base', 'model'],
  'knowledge/sync': ['base', 'model', 'knowledge'],
  work: ['base', 'model'],
  store: ['base', 'model'],
  'store/upkeep': ['base', 'model', 'store'],
  workspace: ['base', 'model', 'code/graph', 'search'],
  engine: ['base', 'model', 'code/files', 'code/facts', 'code/resolve', 'code/graph', 'search', 'search/vectors', 'store', 'workspace', 'engine/parse'],
  'engine/parse': ['base', 'model', 'code/files', 'code/parse', 'code/facts', 'workspace'],
  features: ['base', 'model', 'algorithms', 'code/graph', 'search', 'workspace'],
  'features/query': ['base', 'model', 'algorithms', 'code/graph', 'search', 'workspace', 'features'],
  'features/tests': ['base', 'model', 'algorithms', 'code/graph', 'search', 'workspace', 'features'],
  'features/architecture': ['base', 'model', 'algorithms', 'code/graph', 'search', 'workspace', 'features', 'features/knowledge', 'features/tests'],
  'features/patterns': [
    'base',
    'model',
    'algorithms',
    'code/graph',
    'search',
    'workspace',
    'features',
    'features/architecture',
    'features/query',
    'features/tests',
  ],
  'features/knowledge': ['base', 'model', 'code/graph', 'search', 'workspace', 'features', 'knowledge', 'knowledge/sync', 'work'],
  'features/work': ['base', 'model', 'code/graph', 'search', 'workspace', 'features', 'features/knowledge', 'knowledge', 'work'],
  'features/scene': ['base', 'model', 'algorithms', 'code/graph', 'search', 'workspace', 'features', 'features/query', 'knowledge'],
  tools: ['base', 'model', 'workspace', 'features', 'knowledge', 'work'],
  session: ['base', 'model', 'workspace', 'features', 'tools'],
  transports: ['base', 'model', 'workspace', 'features', 'tools', 'session'],
  main: ['*'],
};

/** Rooms that may use Node; all others are the pure core (`tsconfig.core.json`). */
const nodeRooms = ['code/files', 'store', 'engine', 'engine/parse', 'session', 'transports', 'main'];

/** Each library has one room (or a few); nothing else in server/src imports it. `node:*` is fenced by `nodeRooms`. */
const libraries = {
  'web-tree-sitter': ['code/parse'],
  '@orama/orama': ['search'],
  'sql.js': ['store'],
  msgpackr: ['store', 'engine'],
  ignore: ['code/files'],
  chokidar: ['code/files'],
  zod: ['tools', 'transports', 'session'],
  'vscode-languageserver': ['transports'],
  'vscode-languageserver-textdocument': ['transports'],
  '@modelcontextprotocol/server': ['transports'],
  yaml: ['features/architecture', 'knowledge/sync'],
};

module.exports = { rooms, nodeRooms, libraries };
