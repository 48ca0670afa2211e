import type { ImportKind } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Frame, Walk } from './walk';

interface ImportedName {
  readonly kind: ImportKind;
  readonly specifier: string;
  readonly level: number;
  readonly importedName: string;
  readonly localName: string;
  readonly at: number;
  readonly aliasAt?: number;
}

/** `import a.b` binds `a`; `import a.b as c` binds the module itself (kind `namespace`). */
export function importModules(walk: Walk, statement: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  for (const child of file.children(statement)) {
    const isAliased = file.is(child, 'aliased_import');
    const name = isAliased ? file.child(child, 'name') : child;
    if (!file.is(name, 'dotted_name')) continue;
    const specifier = dottedText(walk, name);
    const localName = isAliased ? file.text(file.child(child, 'alias')) : (specifier.split('.')[0] ?? specifier);
    addImport(walk, { kind: isAliased ? 'namespace' : 'module', specifier, level: 0, importedName: '', localName, at: file.reader.start(name) }, frame);
  }
}

export function importNames(walk: Walk, statement: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const from = file.child(statement, 'module_name');
  const isRelative = file.is(from, 'relative_import');
  const prefix = isRelative ? file.childOf(from, 'import_prefix') : NO_NODE;
  const dotted = isRelative ? file.childOf(from, 'dotted_name') : from;
  const specifier = dotted === NO_NODE ? '' : dottedText(walk, dotted);
  const level = file.text(prefix).replace(/[^.]/g, '').length;
  for (const child of file.children(statement)) {
    if (child === from) continue;
    if (file.is(child, 'wildcard_import')) {
      file.hasStarImport = true;
      addImport(walk, { kind: 'star', specifier, level, importedName: '', localName: '', at: file.reader.start(child) }, frame);
      continue;
    }
    const isAliased = file.is(child, 'aliased_import');
    const name = isAliased ? file.child(child, 'name') : child;
    if (!file.is(name, 'dotted_name')) continue;
    const importedName = dottedText(walk, name);
    const localName = isAliased ? file.text(file.child(child, 'alias')) : importedName;
    const at = file.reader.start(name);
    const aliasAt = isAliased ? { aliasAt: file.reader.start(file.child(child, 'alias')) } : {};
    addImport(walk, { kind: 'named', specifier, level, importedName, localName, at, ...aliasAt }, frame);
  }
}

function addImport(walk: Walk, imported: ImportedName, frame: Frame): void {
  const { builder } = walk.file;
  const localName = builder.intern(imported.localName);
  const row = builder.addImport({
    kind: imported.kind,
    specifier: builder.intern(imported.specifier),
    level: imported.level,
    importedName: builder.intern(imported.importedName),
    localName,
    typeOnly: frame.typeOnly,
    at: imported.at,
    ...(imported.aliasAt === undefined ? {} : { aliasAt: imported.aliasAt }),
  });
  if (imported.localName === '') return;
  const scope = frame.body?.elsewhere.get(imported.localName) ?? frame.home;
  builder.set('imports', 'binding', row, builder.addBinding({ scope, name: localName, kind: 'import', import: row }));
}

/** Dots and names only: a name may be broken over lines inside parentheses. */
function dottedText(walk: Walk, node: SyntaxNode): string {
  return walk.file.text(node).replace(/\\?\s+/g, '');
}
