import { type ExpressionRow, MODULE_SCOPE, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { plainString } from '../values/strings';
import type { Frame, PhpFile, Walk } from '../walk';

/** `namespace A\B;` holds to the next one, `namespace A\B { … }` for its block. The first of a file is the file's own. */
export function declareNamespace(walk: Walk, node: SyntaxNode, frame: Frame): Frame | undefined {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  const name = file.text(nameNode).replace(/\s+/g, '');
  const body = file.child(node, 'body');
  const isOnly = body === NO_NODE && isOnlyNamespace(file, node);
  if (isOnly) {
    builder.set('scopes', 'package', MODULE_SCOPE, builder.intern(name));
    return { ...frame, namespace: name };
  }
  const scope = builder.addScope('namespace', MODULE_SCOPE, NONE, NONE, builder.intern(name));
  const globals = builder.addScope('block', scope);
  const inside: Frame = { ...frame, scope: globals, home: globals, outer: scope, globals, namespace: name };
  if (body === NO_NODE) return inside;
  walk.run(body, inside);
  return undefined;
}

function isOnlyNamespace(file: PhpFile, node: SyntaxNode): boolean {
  return file.children(file.reader.parent(node)).every(child => child === node || !file.is(child, 'namespace_definition'));
}

/** `use A\B;`, `use A\B as C, D;`, `use function A\f;`, `use A\{B, function f};`. */
export function importNames(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const group = file.child(node, 'body');
  if (group === NO_NODE) {
    for (const clause of file.children(node)) if (file.is(clause, 'namespace_use_clause')) importName(file, clause, '', frame);
    return;
  }
  const prefix = file.text(file.childOf(node, 'namespace_name')).replace(/\s+/g, '');
  for (const clause of file.children(group)) importName(file, clause, prefix, frame);
}

function importName(file: PhpFile, clause: SyntaxNode, prefix: string, frame: Frame): void {
  const aliasNode = file.child(clause, 'alias');
  const nameNode = file.children(clause).find(child => child !== aliasNode && file.is(child, 'name', 'qualified_name'));
  if (nameNode === undefined) return;
  const whole = `${prefix}\\${file.text(nameNode)}`.replace(/\s+/g, '').replace(/^\\+/, '');
  const cut = whole.lastIndexOf('\\');
  const importedName = whole.slice(cut + 1);
  const localName = file.builder.intern(aliasNode === NO_NODE ? importedName : file.text(aliasNode));
  const row = file.builder.addImport({
    kind: 'named',
    specifier: file.builder.intern(cut < 0 ? '' : whole.slice(0, cut)),
    importedName: file.builder.intern(importedName),
    localName,
    at: file.reader.end(nameNode) - importedName.length,
    ...(aliasNode === NO_NODE ? {} : { aliasAt: file.reader.start(aliasNode) }),
  });
  file.builder.set('imports', 'binding', row, file.builder.addBinding({ scope: frame.outer, name: localName, kind: 'import', import: row }));
}

/** `require 'x.php'`, `include __DIR__ . '/x.php'`: a path from the file's own folder begins with `./` or `../`. */
export function includeFile(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const target = file.reader.firstNamedChild(node);
  const path = target === NO_NODE ? undefined : pathOf(file, target, 0);
  if (path === undefined || path === '') {
    if (target !== NO_NODE) walk.value(target, frame);
    return file.unknown();
  }
  const specifier = file.builder.intern(path);
  const row = file.builder.addImport({ kind: 'require', specifier, at: file.reader.start(target) });
  return file.row('module', row, NONE, specifier);
}

/** A path made of literals, `__DIR__` and `dirname(…)`; `undefined` when something else is in it. */
function pathOf(file: PhpFile, node: SyntaxNode, depth: number): string | undefined {
  if (depth > 10) return undefined;
  if (file.is(node, 'parenthesized_expression')) return pathOf(file, file.reader.firstNamedChild(node), depth + 1);
  const text = plainString(file, node);
  if (text !== undefined) return text;
  if (file.is(node, 'name')) return file.text(node) === '__DIR__' ? '.' : undefined;
  if (file.is(node, 'function_call_expression')) return parentFolder(file, node);
  if (!file.is(node, 'binary_expression') || file.text(file.child(node, 'operator')) !== '.') return undefined;
  const left = pathOf(file, file.child(node, 'left'), depth + 1);
  const right = pathOf(file, file.child(node, 'right'), depth + 1);
  return left === undefined || right === undefined ? undefined : left + right;
}

/** `dirname(__FILE__)`, `dirname(__DIR__)`, `dirname(__DIR__, 2)`. */
function parentFolder(file: PhpFile, call: SyntaxNode): string | undefined {
  const match = /^\\?(?<calls>(?:dirname\()+)\s*__(?<of>DIR|FILE)__\s*(?:,\s*(?<levels>\d)\s*)?(?:,\s*\d\s*)?\)+$/i.exec(file.text(call))?.groups;
  if (match === undefined) return undefined;
  const calls = (match['calls'] ?? '').length / 'dirname('.length - 1 + Number(match['levels'] ?? 1);
  const up = match['of']?.toUpperCase() === 'FILE' ? calls - 1 : calls;
  return up <= 0 ? '.' : Array.from({ length: up }, () => '..').join('/');
}
