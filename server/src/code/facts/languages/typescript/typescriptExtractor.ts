/**
 * Facts of TypeScript, TSX, JavaScript and JSX, and of the scripts of Vue and Svelte components.
 *
 * It does not know other files: an import is a specifier, a type a name in a scope. It never fails: what it cannot read it visits for what is inside.
 * Invariants: rows are in source order, a container before its members; anonymous callbacks have no symbol, what they use belongs to the nearest named one;
 * `this` rows name the scope of the function that binds `this` (or of the class, in field initializers), so arrows need no special care later.
 */
import { type FileFacts, GLOBAL_NAMES, MODULE_SCOPE } from '../../../../model/facts';
import { type LanguageId, languageRow } from '../../../../model/languages';
import { countErrors } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { componentName } from '../../namesInFacts';
import { declareComponent, scriptsOf } from './components';
import { DECLARATIONS } from './declarations/declarations';
import { handlersByKind, kindsOf } from './kinds';
import { isInModule } from './modules/augmentation';
import { markErased } from './modules/erasure';
import { markExported } from './modules/exported';
import { namesExposed } from './modules/exposed';
import { MODULE_STATEMENTS } from './modules/modules';
import { prepareTypeScript } from './prepare';
import { readStatements } from './statements/blocks';
import { STATEMENTS } from './statements/statements';
import { typeHandlers } from './types';
import { addUses } from './uses';
import { valueHandlers } from './values/expressions';
import { type Handlers, type StatementHandler, Walk } from './walk';

export function createTypeScriptExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const kinds = kindsOf(names);
  const handlers: Handlers = {
    values: valueHandlers(kinds),
    types: typeHandlers(kinds),
    statements: handlersByKind<StatementHandler>(kinds, [...STATEMENTS, ...DECLARATIONS, ...MODULE_STATEMENTS]),
  };
  const tables = new FactTables();
  const isComponent = languageRow(language).isComponent === true;
  return {
    ...(isComponent
      ? { prepare: (text: string) => prepareTypeScript(scriptsOf(text, language === 'vue' ? 'vue' : 'svelte')) }
      : language === 'javascript'
        ? {}
        : { prepare: prepareTypeScript }),
    extract(table: SyntaxTable, path: string): FileFacts {
      const walk = new Walk(table, kinds, handlers, language, tables);
      if (isComponent) declareComponent(walk, componentName(path));
      if (table.count > 0) {
        walk.exposed = namesExposed(walk, syntaxNode(0));
        readStatements(walk, syntaxNode(0));
      }
      addUses(walk);
      markExported(walk);
      if (!isComponent && isScript(walk, path)) walk.builder.set('scopes', 'package', MODULE_SCOPE, walk.builder.intern(GLOBAL_NAMES));
      // Of a component the template may use what the script imports.
      if (walk.isTyped && !isComponent) markErased(walk);
      return walk.builder.finish({ nodes: table.count, errorNodes: countErrors(table) });
    },
  };
}

/** A file that is no module: what it declares at its top is global. In JavaScript, what uses CommonJS is a module, too. */
function isScript(walk: Walk, path: string): boolean {
  if (isInModule(walk) || /(?<!\.d)\.[mc][jt]s$/.test(path)) return false;
  return walk.isTyped || (walk.builder.imports.count === 0 && walk.builder.exports.count === 0);
}
