/**
 * What a shell script says: functions, variables at its top, what it sources, and the commands it runs.
 *
 * It knows the tree-sitter grammar of Bash and nothing of other files. Every command by a plain name is a call: whether a function of the project
 * or a program is meant, the resolver says.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 */
import { type ExpressionRow, MODULE_SCOPE, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { openFunction } from '../../walk/frames';
import { StatementWalk } from '../../walk/treeWalk';
import { type BashField, type BashKind, bashGrammar } from './grammar';

type BashFile = FileWalk<BashKind, BashField>;

/** Where a command stands. */
interface Place {
  readonly scope: ScopeRow;
  /** Innermost function around, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: { decisions: number } | undefined;
}

type Handler = (walk: BashWalk, node: SyntaxNode, place: Place) => void;

interface Handlers {
  readonly values: readonly [];
  readonly statements: readonly (Handler | undefined)[];
}

export function createBashExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = bashGrammar(names);
  const handlers: Handlers = { values: [], statements: dispatchTable(grammar.kind, HANDLERS) };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const file = new FileWalk(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      if (table.count > 0) new BashWalk(file, handlers).run(syntaxNode(0), { scope, owner: NONE, body: undefined });
      return file.finish();
    },
  };
}

/** Everything is a command; commands have no value. */
class BashWalk extends StatementWalk<BashFile, Place> {
  /** Variables of the script that have a symbol. */
  readonly globals = new Set<StringIndex>();
  /** By scope of a function: its local variables. */
  readonly locals = new Map<ScopeRow, Set<number>>();

  constructor(
    file: BashFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  protected override none(): ExpressionRow {
    return NONE;
  }
}

const HANDLERS: Partial<Record<BashKind, Handler>> = {
  function_definition: declareFunction,
  command,
  declaration_command: declarations,
  variable_assignment: (walk, node, place) => {
    assign(walk, node, place, 0);
  },
  simple_expansion: readVariable,
  expansion: readVariable,
  if_statement: decide,
  elif_clause: decide,
  while_statement: decide,
  c_style_for_statement: decide,
  case_item: decide,
  list: decide,
  for_statement: (walk, node, place) => {
    const name = walk.file.child(node, 'variable');
    if (name !== NO_NODE && place.owner !== NONE) bindLocal(walk, name, place);
    decide(walk, node, place);
  },
};

function decide(walk: BashWalk, node: SyntaxNode, place: Place): void {
  if (place.body !== undefined) place.body.decisions++;
  walk.run(node, place);
}

/** Functions are seen by the whole script, wherever they are defined. */
function declareFunction(walk: BashWalk, node: SyntaxNode, place: Place): void {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  const body = file.child(node, 'body');
  if (nameNode === NO_NODE) return;
  const symbol = file.declare({ node, nameNode, kind: 'function', parent: place.owner, modifiers: MODIFIERS.exported, body });
  builder.addBinding({ scope: MODULE_SCOPE, name: file.word(nameNode), kind: 'symbol', symbol });
  const { scope } = openFunction(file, place.scope, symbol);
  const inside = { decisions: 0 };
  if (body !== NO_NODE) walk.statement(body, { scope, owner: symbol, body: inside });
  builder.set('symbols', 'complexity', symbol, inside.decisions + 1);
}

/** Words that could be the name of a function. */
const NAME = /^[A-Za-z_][\w.:-]*$/;

function command(walk: BashWalk, node: SyntaxNode, place: Place): void {
  const { file } = walk;
  const nameNode = file.reader.firstNamedChild(file.child(node, 'name'));
  const name = file.text(nameNode);
  const args = file.childrenOf(node, 'argument');
  if (name === 'source' || name === '.') addImport(walk, args[0]);
  else if (file.is(nameNode, 'word') && NAME.test(name)) {
    const word = file.word(nameNode);
    const row = file.row('call', file.row('name', place.scope, NONE, word));
    file.use('call', row, place.owner, word, file.reader.start(nameNode));
  }
  if (name === 'trap') readFunction(walk, args[0], place);
  if (name === 'read' && place.owner !== NONE) for (const arg of args) if (file.is(arg, 'word') && NAME.test(file.text(arg))) bindLocal(walk, arg, place);
  walk.run(node, place);
}

/** `trap handler EXIT`. */
function readFunction(walk: BashWalk, argument: SyntaxNode | undefined, place: Place): void {
  const { file } = walk;
  if (argument === undefined || !file.is(argument, 'word') || !NAME.test(file.text(argument))) return;
  const word = file.word(argument);
  file.readName(file.row('name', place.scope, NONE, word), place.owner, word, file.reader.start(argument), place.scope);
}

/** What stands behind the folder that the script works out is its path: `"$(dirname "$0")/lib/log.sh"`. */
function addImport(walk: BashWalk, argument: SyntaxNode | undefined): void {
  const { file } = walk;
  if (argument === undefined) return;
  const text = file.text(argument).replace(/^["']|["']$/g, '');
  const path = text.replace(/^.*(?:[)}]|\$\w+)\//, '');
  if (path !== '' && !/[$`]/.test(path)) file.builder.addImport({ kind: 'require', specifier: file.builder.intern(path), at: file.reader.start(argument) });
}

/** `local a=1`, `readonly B=2`, `export C`, `declare -r D=3`. */
function declarations(walk: BashWalk, node: SyntaxNode, place: Place): void {
  const { file } = walk;
  const text = file.text(node).slice(0, 80);
  const isConstant = /^readonly\b|^(?:declare|typeset|local)\s+(?:-\w+\s+)*-\w*r/.test(text);
  const isLocal = place.owner !== NONE && /^(?:local|declare|typeset)\b/.test(text) && !/^\w+\s+(?:-\w+\s+)*-\w*g/.test(text);
  for (const child of file.children(node)) {
    if (isLocal && file.is(child, 'variable_name')) bindLocal(walk, child, place);
    else if (isLocal && file.is(child, 'variable_assignment')) {
      walk.run(child, place);
      bindLocal(walk, file.child(child, 'name'), place);
    } else if (file.is(child, 'variable_assignment')) assign(walk, child, place, isConstant ? MODIFIERS.readonly : 0);
    else walk.statement(child, place);
  }
}

function bindLocal(walk: BashWalk, nameNode: SyntaxNode, place: Place): void {
  const { file } = walk;
  if (!file.is(nameNode, 'variable_name', 'word')) return;
  const names = walk.locals.get(place.scope) ?? new Set<number>();
  walk.locals.set(place.scope, names);
  const name = file.word(nameNode);
  if (names.has(name)) return;
  names.add(name);
  file.builder.addBinding({ scope: place.scope, name, kind: 'variable' });
}

/** The first assignment at the top of the script declares; those inside functions write. */
function assign(walk: BashWalk, node: SyntaxNode, place: Place, flags: number): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  const value = file.child(node, 'value');
  if (value !== NO_NODE) walk.statement(value, place);
  if (!file.is(nameNode, 'variable_name')) return;
  const name = file.word(nameNode);
  if (place.owner === NONE && !walk.globals.has(name)) {
    walk.globals.add(name);
    const symbol = file.declare({ node, nameNode, kind: flags === 0 ? 'variable' : 'constant', parent: NONE, modifiers: flags });
    file.builder.addBinding({ scope: place.scope, name, kind: 'symbol', symbol });
  } else if (walk.locals.get(place.scope)?.has(name) !== true) {
    file.use('write', file.row('name', place.scope, NONE, name), place.owner, name, file.reader.start(nameNode));
  }
}

/** `$NAME`, `${NAME:-default}`. */
function readVariable(walk: BashWalk, node: SyntaxNode, place: Place): void {
  const { file } = walk;
  const nameNode = file.childOf(node, 'variable_name');
  if (nameNode !== NO_NODE && /^[A-Za-z_]/.test(file.text(nameNode))) {
    const name = file.word(nameNode);
    file.readName(file.row('name', place.scope, NONE, name), place.owner, name, file.reader.start(nameNode), place.scope);
  }
  walk.run(node, place);
}
