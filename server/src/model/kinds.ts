/**
 * Every kind of node, one row each: what it is called and drawn as, which layer makes it, and what may be asked of it.
 * Adding a kind touches this table and the room that makes its nodes (CONTRIBUTING.md).
 * The order of the kinds of symbols is stored in facts and graph columns: append, never insert.
 */

/** Layers from the bottom up. An edge belongs to the higher of the layers of its ends; a layer never names one above it. */
export const LAYERS = ['code', 'services', 'memory'] as const;
/** Name of a layer; an edge belongs to the higher layer of its ends. */
export type Layer = (typeof LAYERS)[number];

/** Type of an attribute's values; `texts` is a list. */
export type AttributeType = 'text' | 'number' | 'boolean' | 'texts';
/** Attributes that nodes of a kind or edges of a relation may have, by name; others are refused. */
export type Attributes = Readonly<Record<string, AttributeType>>;
/** Values by the names and types of a row; null where there is none. */
export type AttributeValues = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** Shorthands for several kinds at once, accepted wherever kinds are named. */
export type KindGroup = 'FILE' | 'FUNCTION' | 'CLASS' | 'KNOWLEDGE' | 'WORK' | 'SERVICE';

/** Names of LSP's `SymbolKind`. */
export type EditorKind =
  | 'Class'
  | 'Constant'
  | 'Constructor'
  | 'Enum'
  | 'EnumMember'
  | 'Event'
  | 'Field'
  | 'File'
  | 'Function'
  | 'Interface'
  | 'Key'
  | 'Method'
  | 'Module'
  | 'Namespace'
  | 'Object'
  | 'Package'
  | 'Property'
  | 'Struct'
  | 'Variable';

interface KindRow<Name extends string = string, Type extends string = string> {
  /** In answers and filters. */
  readonly name: Name;
  /** `symbol` for every kind of symbol, else the name. */
  readonly nodeType: Type;
  /** First segment of its ids; `''` where ids begin with a path. */
  readonly prefix: string;
  readonly layer: Layer;
  /** For people, in the singular. */
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
  readonly editorKind: EditorKind;
  /** What a hit counts beside a function that matches as well (docs/retrieval-log.md has the figures); 0: no document of the code search. */
  readonly searchWeight: number;
  readonly group?: KindGroup;
  /** Whether nodes of other kinds belong to it. */
  readonly container: boolean;
  readonly attributes: Attributes;
}

const SYMBOL_ATTRIBUTES = {
  path: 'text',
  language: 'text',
  startLine: 'number',
  endLine: 'number',
  signature: 'text',
  doc: 'text',
  summary: 'text',
  complexity: 'number',
  isTest: 'boolean',
  isExported: 'boolean',
  contentHash: 'text',
} as const satisfies Attributes;

interface SymbolLook {
  readonly label: string;
  readonly icon: string;
  readonly editorKind: EditorKind;
  readonly searchWeight: number;
  readonly group?: KindGroup;
  readonly container?: boolean;
}

function symbol<const Name extends string>(name: Name, { container = false, ...look }: SymbolLook): KindRow<Name, 'symbol'> {
  return { name, nodeType: 'symbol', prefix: '', layer: 'code', container, attributes: SYMBOL_ATTRIBUTES, ...look };
}

type Above = Omit<KindRow, 'name' | 'nodeType' | 'prefix' | 'layer' | 'searchWeight'>;

/** A kind of the memory layer: its prefix is its name, and the code search does not know it. */
function memory<const Name extends string>(name: Name, row: Above): KindRow<Name, Name> {
  return { name, nodeType: name, prefix: name, layer: 'memory', searchWeight: 0, ...row };
}

/** A kind of the services layer. */
function services<const Name extends string>(name: Name, row: Above): KindRow<Name, Name> {
  return { name, nodeType: name, prefix: name, layer: 'services', searchWeight: 0, group: 'SERVICE', ...row };
}

const KNOWLEDGE_ATTRIBUTES = { knowledge: 'text', version: 'number', lastTaskId: 'text', createdAt: 'text', updatedAt: 'text' } as const;
const WORK_ATTRIBUTES = {
  summary: 'text',
  status: 'text',
  priority: 'text',
  tags: 'texts',
  version: 'number',
  createdAt: 'text',
  updatedAt: 'text',
} as const;

/** All kinds of nodes. Kinds of symbols are stored by position: append, never insert. */
export const KINDS = [
  {
    name: 'file',
    nodeType: 'file',
    prefix: '',
    layer: 'code',
    label: 'File',
    icon: 'symbol-file',
    editorKind: 'File',
    searchWeight: 0.8,
    group: 'FILE',
    container: true,
    attributes: { path: 'text', language: 'text', isTest: 'boolean', contentHash: 'text' },
  },
  symbol('function', { label: 'Function', icon: 'symbol-function', editorKind: 'Function', searchWeight: 1, group: 'FUNCTION', container: true }),
  symbol('method', { label: 'Method', icon: 'symbol-method', editorKind: 'Method', searchWeight: 1, group: 'FUNCTION', container: true }),
  symbol('class', { label: 'Class', icon: 'symbol-class', editorKind: 'Class', searchWeight: 0.5, group: 'CLASS', container: true }),
  symbol('interface', { label: 'Interface', icon: 'symbol-interface', editorKind: 'Interface', searchWeight: 0.45, group: 'CLASS', container: true }),
  symbol('type', { label: 'Type', icon: 'symbol-type-parameter', editorKind: 'Interface', searchWeight: 0.4, group: 'CLASS', container: true }),
  symbol('enum', { label: 'Enum', icon: 'symbol-enum', editorKind: 'Enum', searchWeight: 0.4, group: 'CLASS', container: true }),
  symbol('enum_member', { label: 'Enum member', icon: 'symbol-enum-member', editorKind: 'EnumMember', searchWeight: 0.2 }),
  symbol('variable', { label: 'Variable', icon: 'symbol-variable', editorKind: 'Variable', searchWeight: 0.3 }),
  symbol('constant', { label: 'Constant', icon: 'symbol-constant', editorKind: 'Constant', searchWeight: 0.4 }),
  symbol('field', { label: 'Field', icon: 'symbol-field', editorKind: 'Field', searchWeight: 0.25 }),
  symbol('property', { label: 'Property', icon: 'symbol-property', editorKind: 'Property', searchWeight: 0.3 }),
  symbol('module', { label: 'Module', icon: 'symbol-module', editorKind: 'Module', searchWeight: 0.4, container: true }),
  symbol('namespace', { label: 'Namespace', icon: 'symbol-namespace', editorKind: 'Namespace', searchWeight: 0.4, container: true }),
  symbol('struct', { label: 'Struct', icon: 'symbol-struct', editorKind: 'Struct', searchWeight: 0.5, group: 'CLASS', container: true }),
  symbol('trait', { label: 'Trait', icon: 'symbol-interface', editorKind: 'Interface', searchWeight: 0.5, group: 'CLASS', container: true }),
  symbol('constructor', { label: 'Constructor', icon: 'symbol-constructor', editorKind: 'Constructor', searchWeight: 1, group: 'FUNCTION', container: true }),
  {
    name: 'external',
    nodeType: 'external',
    prefix: 'external',
    layer: 'code',
    label: 'External',
    icon: 'package',
    editorKind: 'Package',
    searchWeight: 0,
    container: false,
    attributes: {},
  },
  memory('atom', {
    label: 'Atom',
    icon: 'book',
    editorKind: 'Object',
    group: 'KNOWLEDGE',
    container: false,
    attributes: { ...KNOWLEDGE_ATTRIBUTES, paths: 'texts', moleculeId: 'text' },
  }),
  memory('molecule', { label: 'Molecule', icon: 'library', editorKind: 'Package', group: 'KNOWLEDGE', container: true, attributes: KNOWLEDGE_ATTRIBUTES }),
  memory('feature', { label: 'Feature', icon: 'milestone', editorKind: 'Package', group: 'WORK', container: true, attributes: WORK_ATTRIBUTES }),
  memory('task', {
    label: 'Task',
    icon: 'tasklist',
    editorKind: 'Event',
    group: 'WORK',
    container: false,
    attributes: { ...WORK_ATTRIBUTES, featureId: 'text', outcome: 'text', blockedReason: 'text', assignedAgentId: 'text', startTxId: 'text' },
  }),
  memory('tx', {
    label: 'Transaction',
    icon: 'history',
    editorKind: 'Event',
    container: false,
    attributes: {
      type: 'text',
      agentId: 'text',
      sessionId: 'text',
      gitCommit: 'text',
      timestamp: 'text',
      mode: 'text',
      nodeCount: 'number',
      edgeCount: 'number',
      filesParsed: 'number',
      durationMs: 'number',
    },
  }),
  memory('community', {
    label: 'Community',
    icon: 'type-hierarchy',
    editorKind: 'Namespace',
    container: true,
    attributes: { summary: 'text', memberCount: 'number', centralNode: 'text', computedAt: 'number' },
  }),
  memory('episode', {
    label: 'Episode',
    icon: 'comment',
    editorKind: 'Event',
    container: false,
    attributes: { type: 'text', agentId: 'text', sessionId: 'text', taskId: 'text', outcome: 'text', timestamp: 'text' },
  }),
  memory('learning', {
    label: 'Learning',
    icon: 'lightbulb',
    editorKind: 'Object',
    container: false,
    attributes: { pattern: 'text', agentId: 'text', taskId: 'text', confidence: 'number', timestamp: 'text' },
  }),
  memory('claim', {
    label: 'Claim',
    icon: 'person',
    editorKind: 'Object',
    container: false,
    attributes: { agentId: 'text', intent: 'text', claimType: 'text', taskId: 'text', validFrom: 'text' },
  }),
  services('service', {
    label: 'Service',
    icon: 'server-process',
    editorKind: 'Module',
    container: true,
    attributes: {
      service_name: 'text',
      domain: 'text',
      description: 'text',
      stack: 'text',
      estimated_loc: 'number',
      root: 'text',
      paths: 'texts',
      role: 'text',
      sources: 'texts',
      aliases: 'texts',
    },
  }),
  services('contract', {
    label: 'Contract',
    icon: 'file-code',
    editorKind: 'File',
    container: true,
    attributes: {
      contract_id: 'text',
      contract_type: 'text',
      version: 'text',
      service_name: 'text',
      status: 'text',
      title: 'text',
      derived: 'boolean',
      path: 'text',
    },
  }),
  services('endpoint', {
    label: 'Endpoint',
    icon: 'link-external',
    editorKind: 'Interface',
    container: false,
    attributes: {
      method: 'text',
      path: 'text',
      service_name: 'text',
      handler_symbol: 'text',
      handler_file: 'text',
      handler_line: 'number',
      operation_id: 'text',
      summary: 'text',
      framework: 'text',
      confidence: 'number',
      request_schema: 'text',
      response_schema: 'text',
      security: 'texts',
      declared_file: 'text',
      declared_line: 'number',
    },
  }),
  services('event', {
    label: 'Event',
    icon: 'broadcast',
    editorKind: 'Event',
    container: false,
    attributes: { event_name: 'text', channel: 'text', aliases: 'texts', payload_schema: 'text' },
  }),
  services('domain_entity', {
    label: 'Domain entity',
    icon: 'symbol-structure',
    editorKind: 'Class',
    container: false,
    attributes: {
      entity_name: 'text',
      description: 'text',
      owning_service: 'text',
      fields_json: 'text',
      declared_file: 'text',
      declared_line: 'number',
    },
  }),
  services('data_store', {
    label: 'Data store',
    icon: 'database',
    editorKind: 'Object',
    container: false,
    attributes: { store_name: 'text', product: 'text', store_kind: 'text', aliases: 'texts' },
  }),
] as const satisfies readonly KindRow[];

/** A kind of symbol, or a node type that has no kinds of its own. */
export type Kind = (typeof KINDS)[number]['name'];

const ROWS: ReadonlyMap<string, KindRow<Kind>> = new Map(KINDS.map(row => [row.name, row]));

/** The row of a kind. */
export function kindRow(kind: Kind): KindRow<Kind> {
  return ROWS.get(kind) ?? KINDS[0];
}

/** `undefined` for what is no kind: `symbol`, a group, a folder. */
export function findKind(name: string): KindRow<Kind> | undefined {
  return ROWS.get(name);
}

const BY_PREFIX: ReadonlyMap<string, Kind> = new Map(KINDS.flatMap(row => (row.prefix === '' ? [] : [[row.prefix, row.name] as const])));

/** The kind whose ids begin with a prefix; `undefined` for paths. */
export function kindOfPrefix(prefix: string): Kind | undefined {
  return BY_PREFIX.get(prefix);
}
