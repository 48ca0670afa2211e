import { type ExpressionRow, MODULE_SCOPE, NO_TEXT } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Place, ScalaWalk } from './walk';

/** `package a.b` for the rest of the file, several of them one inside the other; `package a { … }` for what it encloses. */
export function packageClause(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const { builder } = walk;
  const name = walk.text(walk.child(node, 'name')).replace(/\s+/g, '');
  const body = walk.child(node, 'body');
  if (body === NO_NODE) {
    const before = builder.strings[builder.scopes.package[0] ?? NO_TEXT] ?? '';
    builder.set('scopes', 'package', MODULE_SCOPE, builder.intern(before === '' ? name : `${before}.${name}`));
    return walk.unknown();
  }
  const around = place.package === '' ? (builder.strings[builder.scopes.package[0] ?? NO_TEXT] ?? '') : place.package;
  const full = around === '' ? name : `${around}.${name}`;
  const scope = builder.addScope('namespace', place.scope);
  builder.set('scopes', 'package', scope, builder.intern(full));
  return walk.run(body, { ...place, scope, package: full });
}

/** `import a.b.c`, `import a.{b, c => d, _}`, `import a.*`. */
export function declareImport(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const path = walk.childrenOf(node, 'path').filter(child => walk.is(child, 'identifier', 'operator_identifier'));
  const selectors = walk.childOf(node, 'namespace_selectors');
  const wildcard = walk.childOf(node, 'namespace_wildcard');
  const words = path.map(part => walk.text(part));
  if (wildcard !== NO_NODE) star(walk, words.join('.'), wildcard);
  else if (selectors === NO_NODE) named(walk, words.slice(0, -1).join('.'), path[path.length - 1], path[path.length - 1], place);
  for (const selector of walk.children(selectors)) {
    if (walk.is(selector, 'namespace_wildcard')) star(walk, words.join('.'), selector);
    else if (walk.is(selector, 'arrow_renamed_identifier', 'as_renamed_identifier'))
      named(walk, words.join('.'), walk.child(selector, 'name'), walk.child(selector, 'alias'), place);
    else named(walk, words.join('.'), selector, selector, place);
  }
  return walk.unknown();
}

function star(walk: ScalaWalk, path: string, at: SyntaxNode): void {
  walk.builder.addImport({ kind: 'star', specifier: walk.builder.intern(path), at: walk.reader.start(at) });
}

function named(walk: ScalaWalk, path: string, nameNode: SyntaxNode | undefined, aliasNode: SyntaxNode | undefined, place: Place): void {
  if (nameNode === undefined || aliasNode === undefined || nameNode === NO_NODE || aliasNode === NO_NODE || walk.text(aliasNode) === '_') return;
  const { builder } = walk;
  const localName = walk.word(aliasNode);
  const row = builder.addImport({
    kind: 'named',
    specifier: builder.intern(path),
    importedName: walk.word(nameNode),
    localName,
    at: walk.reader.start(nameNode),
    ...(aliasNode === nameNode ? {} : { aliasAt: walk.reader.start(aliasNode) }),
  });
  builder.set('imports', 'binding', row, builder.addBinding({ scope: place.scope, name: localName, kind: 'import', import: row }));
}
