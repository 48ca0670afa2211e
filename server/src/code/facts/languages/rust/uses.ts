/**
 * Imports: `use` trees flattened to one row per name, `mod name;`, `extern crate`.
 *
 * The specifier is the path as written, without the name; `mod name;` is a row of kind `module` whose specifier is the path of modules inside this file,
 * or `path:FILE` where an attribute says so.
 */
import { NO_TEXT } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { lastSegment } from './paths';
import type { Frame, RustFile, Walk } from './walk';

export function addUse(walk: Walk, node: SyntaxNode, frame: Frame): void {
  addTree(walk.file, walk.file.child(node, 'argument'), '', frame, 0);
}

const MAX_DEPTH = 50;

function addTree(file: RustFile, node: SyntaxNode, prefix: string, frame: Frame, depth: number): void {
  if (node === NO_NODE || depth > MAX_DEPTH) return;
  if (file.is(node, 'scoped_use_list')) {
    const path = file.child(node, 'path');
    addTree(file, file.child(node, 'list'), joined(prefix, pathText(file, path)), frame, depth + 1);
  } else if (file.is(node, 'use_list')) {
    for (const child of file.children(node)) addTree(file, child, prefix, frame, depth + 1);
  } else if (file.is(node, 'use_as_clause')) {
    addName(file, file.child(node, 'path'), prefix, file.child(node, 'alias'), frame);
  } else if (file.is(node, 'use_wildcard')) {
    const path = file.reader.firstNamedChild(node);
    addStar(file, node, joined(prefix, pathText(file, path)), frame);
  } else addName(file, node, prefix, NO_NODE, frame);
}

function joined(prefix: string, path: string): string {
  return prefix === '' ? path : path === '' ? prefix : `${prefix}::${path}`;
}

function pathText(file: RustFile, node: SyntaxNode): string {
  return file.text(node).replace(/\s+/g, '').replace('$crate', 'crate');
}

/** `a::b as c`; `self` in a list names the module that the list is of. */
function addName(file: RustFile, node: SyntaxNode, prefix: string, alias: SyntaxNode, frame: Frame): void {
  const full = file.is(node, 'self') && prefix !== '' ? prefix : joined(prefix, pathText(file, node));
  const cut = full.lastIndexOf('::');
  const name = full.slice(cut < 0 ? NO_TEXT : cut + 2);
  const specifier = cut < 0 ? '' : cut === 0 ? '::' : full.slice(0, cut);
  const local = alias === NO_NODE ? name : file.text(alias);
  const at = file.reader.start(lastSegment(file, node).name);
  addImport(file, frame, { kind: 'named', specifier, name, local, at, ...(alias === NO_NODE ? {} : { aliasAt: file.reader.start(alias) }) });
}

function addStar(file: RustFile, node: SyntaxNode, specifier: string, frame: Frame): void {
  const { builder } = file;
  const row = builder.addImport({ kind: 'star', specifier: builder.intern(specifier), at: file.reader.start(node) });
  const binding = builder.addBinding({ scope: frame.home, name: file.star, kind: 'import', import: row });
  builder.set('imports', 'binding', row, binding);
}

interface Imported {
  readonly kind: 'named' | 'module';
  readonly specifier: string;
  readonly name: string;
  readonly local: string;
  readonly at: number;
  readonly aliasAt?: number;
}

function addImport(file: RustFile, frame: Frame, { kind, specifier, name, local, at, aliasAt }: Imported): void {
  const { builder } = file;
  const localName = builder.intern(local);
  const row = builder.addImport({
    kind,
    specifier: builder.intern(specifier),
    importedName: builder.intern(name),
    localName,
    at,
    ...(aliasAt === undefined ? {} : { aliasAt }),
  });
  if (local === '_') return;
  const binding = builder.addBinding({ scope: frame.home, name: localName, kind: 'import', import: row });
  builder.set('imports', 'binding', row, binding);
}

/** `extern crate name as alias;` */
export function addExternCrate(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const name = file.child(node, 'name');
  const alias = file.child(node, 'alias');
  const local = file.text(alias === NO_NODE ? name : alias);
  addImport(file, frame, { kind: 'named', specifier: '::', name: file.text(name), local, at: file.reader.start(name) });
}

/** `mod name;`: the file of that module, next to this one or where `#[path]` says. */
export function addModuleFile(walk: Walk, node: SyntaxNode, frame: Frame, attributes: readonly SyntaxNode[]): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  const name = file.text(nameNode);
  const given = attributes.map(attribute => /^#\s*\[\s*path\s*=\s*"([^"]+)"/.exec(file.text(attribute))?.[1]).find(path => path !== undefined);
  const specifier = given === undefined ? joined(frame.module, name) : `path:${given}`;
  addImport(file, frame, { kind: 'module', specifier, name, local: name, at: file.reader.start(nameNode) });
}
