import { normalize, type WorkspacePath } from '../../base/path';
import { regExpFault } from '../../base/patternCost';
import { NODE_TYPES, SYMBOL_KINDS } from '../../model/nodes';
import { parseRelation, type Relation } from '../../model/relations';
import {
  DEFAULT_BASELINE,
  DEFAULT_EDGES,
  FILE_RULE,
  LAYERS_RULE,
  type Layer,
  RULE_TYPES,
  type Rule,
  type RuleException,
  type RuleSet,
  type RuleType,
  SCOPES,
  SEVERITIES,
  type Selector,
} from './rules';
import { type Field, type Fields, YamlReader } from './yamlReader';

const ROOT_KEYS = ['version', 'layers', 'rules', 'exceptions', 'baseline', 'ignoreTypeOnly'] as const;
const LAYER_KEYS = ['id', 'include', 'exclude', 'mayDependOn'] as const;
const SELECTOR_KEYS = ['layer', 'path', 'service', 'package', 'kind', 'community'] as const;
const EXCEPTION_KEYS = ['rule', 'from', 'to', 'reason', 'until'] as const;
const RULE_KEYS = ['id', 'type', 'severity'] as const;

/** What each type of rule takes beside id, type and severity; with `!` it must be there. */
const TYPE_KEYS: Readonly<Record<RuleType, readonly string[]>> = {
  'no-cycle': ['scope', 'select', 'edges', 'ignoreTypeOnly'],
  forbid: ['from', 'to!', 'edges', 'ignoreTypeOnly'],
  'only-via': ['from', 'to!', 'via!', 'edges', 'ignoreTypeOnly'],
  naming: ['select!', 'match!'],
  'max-fan-out': ['select!', 'limit!', 'edges', 'ignoreTypeOnly'],
};
const ALL_RULE_KEYS = [...RULE_KEYS, 'scope', 'from', 'to', 'via', 'select', 'match', 'limit', 'edges', 'ignoreTypeOnly'];

/** Reads a rule file. Whatever cannot be read is a finding; the rest counts. */
export function readRules(source: WorkspacePath, text: string): RuleSet {
  const reader = new YamlReader(text);
  const empty: RuleSet = { source, layers: [], rules: [], exceptions: [], baseline: DEFAULT_BASELINE, ignoreTypeOnly: false, findings: reader.findings };
  const root = reader.fields({ node: reader.root, line: 1 }, 'the rule file', ROOT_KEYS);
  if (root === undefined) return empty;
  checkVersion(reader, root);
  const ignoreTypeOnly = reader.flag(root.get('ignoreTypeOnly'), 'ignoreTypeOnly');
  const layers = unique(
    reader,
    reader.list(root.get('layers'), 'layers').flatMap(item => layerOf(reader, item) ?? []),
    'layer',
  );
  const context: RuleContext = { reader, layers: new Set(layers.map(layer => layer.id)), ignoreTypeOnly };
  for (const layer of layers) {
    for (const other of layer.mayDependOn ?? [])
      if (!context.layers.has(other)) reader.complain(layer.line, `Layer ${layer.id} may depend on ${other}, which is not a layer.`);
  }
  const rules = unique(
    reader,
    reader.list(root.get('rules'), 'rules').flatMap(item => ruleOf(context, item) ?? []),
    'rule',
  );
  const known = new Set([LAYERS_RULE, ...rules.map(rule => rule.id)]);
  const exceptions = reader.list(root.get('exceptions'), 'exceptions').flatMap(item => exceptionOf(reader, item, known) ?? []);
  return { ...empty, layers, rules, exceptions, baseline: baselineOf(reader, root.get('baseline')), ignoreTypeOnly: ignoreTypeOnly ?? false };
}

interface RuleContext {
  readonly reader: YamlReader;
  readonly layers: ReadonlySet<string>;
  readonly ignoreTypeOnly: boolean | undefined;
}

function checkVersion(reader: YamlReader, root: Fields): void {
  const version = root.get('version');
  if (version === undefined) reader.complain(1, 'version is missing. Start the file with version: 1.', 'warning');
  else if (reader.text(version, 'version') !== '1') reader.complain(version.line, 'version must be 1.');
}

function baselineOf(reader: YamlReader, field: Field | undefined): WorkspacePath {
  const text = reader.text(field, 'baseline');
  if (text === undefined) return DEFAULT_BASELINE;
  const path = normalize(text);
  if (path !== undefined && /^\.lattice\/.+\.json$/.test(path)) return path;
  reader.complain(field?.line ?? 1, `baseline must be a .json file in .lattice, not ${text}.`);
  return DEFAULT_BASELINE;
}

function unique<T extends { readonly id: string; readonly line: number }>(reader: YamlReader, items: readonly T[], what: string): T[] {
  const seen = new Set<string>();
  return items.filter(({ id, line }) => {
    const isNew = !seen.has(id);
    seen.add(id);
    if (!isNew) reader.complain(line, `There is already a ${what} with the ID ${id}.`);
    return isNew;
  });
}

function layerOf(reader: YamlReader, item: Field): Layer | undefined {
  const fields = reader.fields(item, 'a layer', LAYER_KEYS);
  const id = fields === undefined ? undefined : required(reader, fields, item, 'id', 'A layer');
  if (fields === undefined || id === undefined) return undefined;
  const include = reader.texts(fields.get('include'), 'include');
  if (include.length === 0) reader.complain(item.line, `Layer ${id} has no include. Add a list of globs, such as "src/${id}/**".`);
  const mayDependOn = fields.get('mayDependOn');
  return {
    id,
    include,
    exclude: reader.texts(fields.get('exclude'), 'exclude'),
    mayDependOn: mayDependOn === undefined ? undefined : reader.texts(mayDependOn, 'mayDependOn'),
    line: item.line,
  };
}

function required(reader: YamlReader, fields: Fields, item: Field, key: string, what: string): string | undefined {
  const field = fields.get(key);
  if (field === undefined) reader.complain(item.line, `${what} requires ${key}.`);
  return reader.text(field, key);
}

function ruleOf(context: RuleContext, item: Field): Rule | undefined {
  const { reader } = context;
  const fields = reader.fields(item, 'a rule', ALL_RULE_KEYS);
  if (fields === undefined) return undefined;
  const id = required(reader, fields, item, 'id', 'A rule');
  if (fields.get('type') === undefined) reader.complain(item.line, `A rule requires a type: one of ${RULE_TYPES.join(', ')}.`);
  const type = reader.oneOf(fields.get('type'), 'type', RULE_TYPES);
  if (id === undefined || type === undefined) return undefined;
  if (id === LAYERS_RULE || id === FILE_RULE) {
    reader.complain(item.line, `The ID ${id} is reserved. Choose another one.`);
    return undefined;
  }
  if (!hasItsKeys(reader, fields, item, id, type)) return undefined;
  const select = (key: string): Selector | undefined => selectorOf(context, fields.get(key), `${key} of rule ${id}`);
  const edges = edgesOf(reader, fields.get('edges'), id);
  const match = matchOf(reader, fields.get('match'), id);
  const limit = limitOf(reader, fields.get('limit'), id);
  if (edges === undefined || match === null || limit === undefined) return undefined;
  const rule: Rule = {
    id,
    type,
    severity: reader.oneOf(fields.get('severity'), `severity of rule ${id}`, SEVERITIES) ?? 'error',
    edges,
    scope: reader.oneOf(fields.get('scope'), `scope of rule ${id}`, SCOPES) ?? 'file',
    from: select('from'),
    to: select('to'),
    via: select('via'),
    select: select('select'),
    match,
    limit,
    ignoreTypeOnly: reader.flag(fields.get('ignoreTypeOnly'), `ignoreTypeOnly of rule ${id}`) ?? context.ignoreTypeOnly ?? type === 'no-cycle',
    line: item.line,
  };
  const broken = (['from', 'to', 'via', 'select'] as const).some(key => fields.get(key) !== undefined && rule[key] === undefined);
  return broken ? undefined : rule;
}

function hasItsKeys(reader: YamlReader, fields: Fields, item: Field, id: string, type: RuleType): boolean {
  const keys = TYPE_KEYS[type];
  const allowed: ReadonlySet<string> = new Set([...RULE_KEYS, ...keys.map(key => key.replace('!', ''))]);
  for (const [key, { line }] of fields)
    if (!allowed.has(key)) reader.complain(line, `${key} has no effect in rule ${id}: ${type} rules do not use it.`, 'warning');
  const missing = keys.filter(key => key.endsWith('!') && !fields.has(key.slice(0, -1))).map(key => key.slice(0, -1));
  if (missing.length > 0) reader.complain(item.line, `Rule ${id} (${type}) requires ${missing.join(' and ')}.`);
  return missing.length === 0;
}

const KINDS: ReadonlySet<string> = new Set([...NODE_TYPES, ...SYMBOL_KINDS]);

function selectorOf({ reader, layers }: RuleContext, field: Field | undefined, what: string): Selector | undefined {
  if (field === undefined) return undefined;
  const fields = reader.fields(field, what, SELECTOR_KEYS);
  if (fields === undefined) return undefined;
  if (fields.size === 0) {
    reader.complain(field.line, `${what} does not select anything. Use one of ${SELECTOR_KEYS.join(', ')}.`);
    return undefined;
  }
  const read = (key: (typeof SELECTOR_KEYS)[number]): string[] => reader.texts(fields.get(key), key);
  const selector = {
    layer: read('layer'),
    path: read('path'),
    service: read('service'),
    package: read('package'),
    kind: read('kind'),
    community: read('community'),
  };
  const wrong = selector.layer.find(id => !layers.has(id));
  if (wrong !== undefined) reader.complain(field.line, `${what} names the layer ${wrong}, which is not declared.`);
  const kind = selector.kind.find(name => !KINDS.has(name));
  if (kind !== undefined) reader.complain(field.line, `${what} has the unknown kind ${kind}. Use one of ${[...KINDS].join(', ')}.`);
  return wrong === undefined && kind === undefined ? selector : undefined;
}

function edgesOf(reader: YamlReader, field: Field | undefined, id: string): readonly Relation[] | undefined {
  if (field === undefined) return DEFAULT_EDGES;
  const names = reader.texts(field, 'edges');
  const relations = names.flatMap(name => {
    const parsed = parseRelation(name);
    return parsed === undefined || parsed.reversed ? [] : [parsed.relation];
  });
  if (relations.length === names.length && names.length > 0) return relations;
  reader.complain(field.line, `edges of rule ${id} must be relations, such as ${DEFAULT_EDGES.join(', ')}.`);
  return undefined;
}

/** `null` when it is there and no pattern. */
function matchOf(reader: YamlReader, field: Field | undefined, id: string): RegExp | undefined | null {
  const text = reader.text(field, `match of rule ${id}`);
  if (text === undefined) return field === undefined ? undefined : null;
  const fault = regExpFault(text);
  if (fault !== undefined) {
    reader.complain(field?.line ?? 1, `match of rule ${id} ${fault}, so that matching could take very long. Simplify it.`);
    return null;
  }
  try {
    return new RegExp(text, 'u');
  } catch (error) {
    reader.complain(field?.line ?? 1, `match of rule ${id} is not a valid regular expression: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function limitOf(reader: YamlReader, field: Field | undefined, id: string): number | undefined {
  if (field === undefined) return 0;
  const value = Number(reader.text(field, `limit of rule ${id}`));
  if (Number.isSafeInteger(value) && value >= 0) return value;
  reader.complain(field.line, `limit of rule ${id} must be a whole number.`);
  return undefined;
}

function exceptionOf(reader: YamlReader, item: Field, known: ReadonlySet<string>): RuleException | undefined {
  const fields = reader.fields(item, 'an exception', EXCEPTION_KEYS);
  if (fields === undefined) return undefined;
  const [rule, from, reason] = (['rule', 'from', 'reason'] as const).map(key => required(reader, fields, item, key, 'An exception'));
  if (rule === undefined || from === undefined || reason === undefined) return undefined;
  if (!known.has(rule)) reader.complain(item.line, `The exception is for ${rule}, which is not a rule.`, 'warning');
  const until = reader.text(fields.get('until'), 'until');
  if (until !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(until)) {
    reader.complain(fields.get('until')?.line ?? item.line, `until must be a date such as 2026-12-31, not ${until}.`);
    return undefined;
  }
  return { rule, from, to: reader.text(fields.get('to'), 'to'), reason, until, line: item.line };
}
