import { type ExpressionRow, MODULE_SCOPE, NO_TEXT } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Place, ScalaWalk } from './walk';

/** `package a.b` for the rest of the file, several of them one inside the other; `package a { … }` for what it encloses. */
export function packageClause(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const { builder } = walk.file;
  const name = walk.file.text(walk.file.child(node, 'name')).replace(/\s+/g, '');
  const body = walk.file.child(node, 'body');
  if (body === NO_NODE) {
    const before = builder.strings[builder.scopes.package[0] ?? NO_TEXT] ?? '';
    builder.set('scopes', 'package', MODULE_SCOPE, builder.intern(before === '' ? name : `${before}.${name}`));
    return walk.file.unknown();
  }
  const around = place.package === '' ? (builder.strings[builder.scopes.package[0] ?? NO_TEXT] ?? '') : place.package;
  const full = around === '' ? name : `${around}.${name}`;
  const scope = builder.addScope('namespace', place.scope);
  builder.set('scopes', 'package', scope, builder.intern(full));
  return walk.run(body, { ...place, scope, package: full });
}

/** `import a.b.c`, `import a.{b, c => d, _}`, `import a.*`. */
export function declareImport(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const path = walk.file.childrenOf(node, 'path').filter(child => walk.file.is(child, 'identifier', 'operator_identifier'));
  const selectors = walk.file.childOf(node, 'namespace_selectors');
  const wildcard = walk.file.childOf(node, 'namespace_wildcard');
  const words = path.map(part => walk.file.text(part));
  if (wildcard !== NO_NODE) star(walk, words.join('.'), wildcard);
  else if (selectors === NO_NODE) named(walk, words.slice(0, -1).join('.'), path[path.length - 1], path[path.length - 1], place);
  for (const selector of walk.file.children(selectors)) {
    if (walk.file.is(selector, 'namespace_wildcard')) star(walk, words.join('.'), selector);
    else if (walk.file.is(selector, 'arrow_renamed_identifier', 'as_renamed_identifier'))
      named(walk, words.join('.'), walk.file.child(selector, 'name'), walk.file.child(selector, 'alias'), place);
    else named(walk, words.join('.'), selector, selector, place);
  }
  return walk.file.unknown();
}

function star(walk: ScalaWalk, path: string, at: SyntaxNode): void {
  walk.file.builder.addImport({ kind: 'star', specifier: walk.file.builder.intern(path), at: walk.file.reader.start(at) });
}

function named(walk: ScalaWalk, path: string, nameNode: SyntaxNode | undefined, aliasNode: SyntaxNode | undefined, place: Place): void {
  if (nameNode === undefined || aliasNode === undefined || nameNode === NO_NODE || aliasNode === NO_NODE || walk.file.text(aliasNode) === '_') return;
  const { builder } = walk.file;
  const localName = walk.file.word(aliasNode);
  const row = builder.addImport({
    kind: 'named',
    specifier: builder.intern(path),
    importedName: walk.file.word(nameNode),
    localName,
    at: walk.file.reader.start(nameNode),
    ...(aliasNode === nameNode ? {} : { aliasAt: walk.file.reader.start(aliasNode) }),
  });
  builder.set('imports', 'binding', row, builder.addBinding({ scope: place.scope, name: localName, kind: 'import', import: row }));
}
