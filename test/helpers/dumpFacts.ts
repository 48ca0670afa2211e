/** Facts as lines of text, for expectations that people can read. */
import {
  type AnyRow,
  BINDING_KINDS,
  EXPORT_KINDS,
  type ExpressionRow,
  type FileFacts,
  HERITAGE_KINDS,
  IMPORT_KINDS,
  NO_TEXT,
  NONE,
  OPERATORS,
  qualifiedName,
  REFERENCE_KINDS,
  SCOPE_KINDS,
  type SymbolRow,
  symbolRow,
  textOf,
} from '../../server/src/model/facts';
import { modifierNames, SYMBOL_KINDS } from '../../server/src/model/nodes';

const at = <Value extends number>(column: ArrayLike<Value>, row: number): Value => column[row] ?? (0 as Value);
const nameOfSymbol = (facts: FileFacts, symbol: SymbolRow): string => (symbol === NONE ? '-' : qualifiedName(facts, symbol).join('::'));
const optional = (label: string, value: string): string => (value === '' ? '' : ` ${label}=${value}`);

/** An expression as one line: `(call (member (name this@2 x) y) (name z))`. */
export function dumpExpression(facts: FileFacts, row: ExpressionRow, depth = 0): string {
  if (row === NONE) return '-';
  const { expressions, lists } = facts;
  const operator = OPERATORS[at(expressions.operator, row)];
  const text = textOf(facts, at(expressions.text, row));
  const inner = (child: ExpressionRow): string => (depth > 8 ? '…' : dumpExpression(facts, child, depth + 1));
  const items = [...lists.subarray(at(expressions.listStart, row), at(expressions.listStart, row) + at(expressions.listCount, row))];
  const a = at(expressions.a, row);
  const b = at(expressions.b, row);
  switch (operator) {
    case 'unknown':
      return '?';
    case 'name':
      return `${text}@${a}`;
    case 'this':
    case 'super':
      return `${operator}@${a}`;
    case 'literal':
      return text;
    case 'member':
      return `${inner(a)}.${text}`;
    case 'function':
      return `fn#${a}`;
    case 'class':
      return `class:${nameOfSymbol(facts, a)}`;
    case 'module':
      return `module(${text})`;
    case 'functionType':
      return `(functionType ${inner(a)}${b === NONE ? '' : ` fn#${b}`})`;
    case 'object':
    case 'objectType': {
      const pairs: string[] = [];
      for (let i = 0; i < items.length; i += 2) pairs.push(`${textOf(facts, items[i] ?? NO_TEXT) || '…'}: ${inner(items[i + 1] ?? NONE)}`);
      return `{${pairs.join(', ')}}`;
    }
    default: {
      const parts = [a === NONE ? '' : inner(a), b === NONE ? '' : inner(b), text, ...items.map(inner)].filter(part => part !== '');
      return `(${operator} ${parts.join(' ')})`.replace(' )', ')');
    }
  }
}

export function dumpSymbols(facts: FileFacts): string[] {
  const { symbols } = facts;
  return Array.from({ length: symbols.count }, (_, row) => {
    const modifiers = modifierNames(at(symbols.modifiers, row)).join(',');
    const type = at(symbols.type, row) === NONE ? '' : dumpExpression(facts, at(symbols.type, row));
    return `${SYMBOL_KINDS[at(symbols.kind, row)]} ${nameOfSymbol(facts, symbolRow(row))} ${at(symbols.nameLine, row)}:${at(symbols.nameColumn, row)}${optional('', modifiers).replace('=', '')}${optional('type', type)}`;
  });
}

export function dumpReferences(facts: FileFacts): string[] {
  const { references } = facts;
  const rows = Array.from({ length: references.count }, (_, row) => ({
    line: at(references.line, row),
    column: at(references.column, row),
    text: `${REFERENCE_KINDS[at(references.kind, row)]} ${dumpExpression(facts, at(references.expression, row))} in ${nameOfSymbol(facts, at(references.owner, row))}`,
  }));
  return rows.sort((a, b) => a.line - b.line || a.column - b.column).map(row => `${row.line}:${row.column} ${row.text}`);
}

export function dumpBindings(facts: FileFacts): string[] {
  const { bindings, scopes } = facts;
  return Array.from({ length: bindings.count }, (_, row) => {
    const scope = at(bindings.scope, row);
    const type = at(bindings.type, row) === NONE ? '' : dumpExpression(facts, at(bindings.type, row));
    const value = at(bindings.value, row) === NONE ? '' : dumpExpression(facts, at(bindings.value, row));
    return `${SCOPE_KINDS[at(scopes.kind, scope)]}@${scope} ${BINDING_KINDS[at(bindings.kind, row)]} ${textOf(facts, at(bindings.name, row))}${optional('type', type)}${optional('value', value)}`;
  });
}

export function dumpImports(facts: FileFacts): string[] {
  const { imports } = facts;
  return Array.from({ length: imports.count }, (_, row) => {
    const names = [textOf(facts, at(imports.importedName, row)), textOf(facts, at(imports.localName, row))].filter(name => name !== '').join(' as ');
    const level = '.'.repeat(at(imports.level, row));
    return `${IMPORT_KINDS[at(imports.kind, row)]} '${level}${textOf(facts, at(imports.specifier, row))}' ${names}${at(imports.typeOnly, row) === 1 ? ' (type)' : ''}`.trimEnd();
  });
}

export function dumpExports(facts: FileFacts): string[] {
  const { exports } = facts;
  return Array.from({ length: exports.count }, (_, row) => {
    const value = at(exports.value, row) === NONE ? '' : dumpExpression(facts, at(exports.value, row));
    const from = at(exports.import, row) === NONE ? '' : `'${textOf(facts, at(facts.imports.specifier, at(exports.import, row)))}'`;
    const names = `${optional('as', textOf(facts, at(exports.exportedName, row)))}${optional('local', textOf(facts, at(exports.localName, row)))}`;
    return `${EXPORT_KINDS[at(exports.kind, row)]}${names}${optional('imported', textOf(facts, at(exports.importedName, row)))}${optional('from', from)}${optional('value', value)}`;
  });
}

export function dumpHeritage(facts: FileFacts): string[] {
  const { heritage } = facts;
  return Array.from(
    { length: heritage.count },
    (_, row) =>
      `${nameOfSymbol(facts, at(heritage.symbol, row))} ${HERITAGE_KINDS[at(heritage.kind, row)]} ${dumpExpression(facts, at(heritage.expression, row))} ${at(heritage.line, row)}:${at(heritage.column, row)}`,
  );
}

export function dumpFunctions(facts: FileFacts): string[] {
  const { functions, bindings, lists } = facts;
  return Array.from({ length: functions.count }, (_, row) => {
    const slice = (start: number, count: number): AnyRow[] => [...lists.subarray(start, start + count)];
    const parameters = slice(at(functions.parameterStart, row), at(functions.parameterCount, row)).map(binding =>
      binding === NONE ? '{}' : textOf(facts, at(bindings.name, binding)),
    );
    const returns = slice(at(functions.returnStart, row), at(functions.returnCount, row)).map(value => dumpExpression(facts, value));
    const declared = at(functions.returnType, row) === NONE ? '' : `: ${dumpExpression(facts, at(functions.returnType, row))}`;
    return `fn#${row} ${nameOfSymbol(facts, at(functions.symbol, row))}(${parameters.join(', ')})${declared} -> ${returns.join(' | ')}`.trimEnd();
  });
}

export function dumpAssignments(facts: FileFacts): string[] {
  const { assignments } = facts;
  return Array.from(
    { length: assignments.count },
    (_, row) =>
      `${dumpExpression(facts, at(assignments.target, row))}.${textOf(facts, at(assignments.name, row))} = ${dumpExpression(facts, at(assignments.value, row))}${optional('symbol', at(assignments.symbol, row) === NONE ? '' : nameOfSymbol(facts, at(assignments.symbol, row)))} in ${nameOfSymbol(facts, at(assignments.owner, row))}`,
  );
}

/** Everything, section by section; sections without rows are left out. */
export function dumpFacts(facts: FileFacts): string {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['symbols', dumpSymbols(facts)],
    ['functions', dumpFunctions(facts)],
    ['bindings', dumpBindings(facts)],
    ['references', dumpReferences(facts)],
    ['assignments', dumpAssignments(facts)],
    ['heritage', dumpHeritage(facts)],
    ['imports', dumpImports(facts)],
    ['exports', dumpExports(facts)],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [`[${title}]`, ...lines].join('\n'))
    .join('\n');
}
