/**
 * What a C or C++ file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammars of C and C++ and nothing of other files; macros are not expanded, both branches of a condition are read.
 * Pointers, references and qualifiers are transparent. A declaration whose definition stands in the same file makes no symbol of its own.
 * Invariants: total on any tree; equal text gives equal facts. Scope 0 binds what other files may link to, scope 1 inside it what they may not;
 * namespaces have a pair of scopes likewise.
 */
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { readBlankedMacros } from './blankedMacros';
import { declareType } from './classes';
import { VALUE_HANDLERS } from './expressions';
import { countParameters, functionDeclarator } from './functions';
import { cppGrammar } from './grammar';
import { nameParts } from './names';
import { prepared } from './prepare';
import { STATEMENT_HANDLERS } from './statements';
import { typeSpecifier } from './types';
import { CppFile, CppWalk, type Handlers } from './walk';

export function createCppExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = cppGrammar(names);
  const handlers: Handlers = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    statements: dispatchTable(grammar.kind, STATEMENT_HANDLERS),
    type: typeSpecifier,
    declareType,
  };
  const facts = new FactTables();
  return {
    prepare: prepared,
    extract(table: SyntaxTable, _path: string, source: string) {
      const walk = new CppWalk(new CppFile(table, grammar, language, facts), language, handlers);
      collectDefinitions(walk);
      if (table.count > 0) walk.run(syntaxNode(0));
      readBlankedMacros(walk, source);
      return walk.file.finish();
    },
  };
}

/** Notes the functions that are defined outside classes, so that their declarations in this file make no symbols. */
function collectDefinitions(walk: CppWalk): void {
  const { kind, count } = walk.file.table;
  for (let node = syntaxNode(0); node < count; node++) {
    if (kind[node] !== walk.file.grammar.kind.function_definition || walk.file.child(node, 'body') === NO_NODE) continue;
    const around = pathAround(walk, node);
    if (around === undefined) continue;
    const declarator = functionDeclarator(walk, walk.file.child(node, 'declarator'));
    if (declarator.function === NO_NODE) continue;
    const names = nameParts(walk, declarator.name).map(part => part.text);
    const path = [...(names[0] === '' ? [] : around), ...names.filter(name => name !== '')].join('::');
    const counts = walk.defined.get(path);
    const parameters = countParameters(walk, walk.file.child(declarator.function, 'parameters'));
    if (counts === undefined) walk.defined.set(path, [parameters]);
    else counts.push(parameters);
  }
}

/** Names of the namespaces around; `undefined` inside classes and functions. */
function pathAround(walk: CppWalk, node: SyntaxNode): string[] | undefined {
  const names: string[] = [];
  for (let up = walk.file.reader.parent(node); up !== NO_NODE; up = walk.file.reader.parent(up)) {
    if (walk.file.is(up, 'field_declaration_list', 'compound_statement')) return undefined;
    if (!walk.file.is(up, 'namespace_definition')) continue;
    const name = walk.file.child(up, 'name');
    if (name !== NO_NODE) names.unshift(...walk.file.text(name).replace(/\s+/g, '').split('::'));
  }
  return names;
}
