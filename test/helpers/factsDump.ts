import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Extractor } from '../../server/src/code/facts/extractor';
import { createExtractor } from '../../server/src/code/facts/registry';
import { SyntaxParser } from '../../server/src/code/parse/syntaxParser';
import {
  BINDING_KINDS,
  EXPORT_KINDS,
  type FileFacts,
  HERITAGE_KINDS,
  IMPORT_KINDS,
  NONE,
  OPERATORS,
  qualifiedName,
  REFERENCE_KINDS,
  SCOPE_KINDS,
  textOf,
} from '../../server/src/model/facts';
import { type LanguageId, languageRow } from '../../server/src/model/languages';
import { modifierNames, SYMBOL_KINDS } from '../../server/src/model/nodes';

/** Where the grammars' packages keep their wasm. */
const GRAMMAR_FILES: Readonly<Record<string, string>> = {
  python: 'tree-sitter-python/tree-sitter-python.wasm',
  javascript: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  typescript: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  tsx: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
};

const modules = join(__dirname, '../../node_modules');
const loaded = new Map<LanguageId, Promise<(text: string) => FileFacts>>();

/** Facts of a text, with the real grammar. */
export async function factsOf(language: LanguageId, text: string): Promise<FileFacts> {
  let extract = loaded.get(language);
  if (extract === undefined) {
    extract = load(language);
    loaded.set(language, extract);
  }
  return (await extract)(text);
}

async function load(language: LanguageId): Promise<(text: string) => FileFacts> {
  const row = languageRow(language);
  const parser = await SyntaxParser.create({
    runtimeWasm: readFileSync(join(modules, 'web-tree-sitter/web-tree-sitter.wasm')),
    readGrammar: grammar => readFileSync(join(modules, GRAMMAR_FILES[grammar] ?? '')),
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    log: { write: () => undefined },
  });
  const extractor: Extractor | undefined = createExtractor(await parser.load(row.grammar), language);
  if (extractor === undefined) throw new Error(`${language} has no extractor`);
  return text => {
    const table = parser.parse(row.grammar, text);
    if (!table.ok) throw new Error(table.error.message);
    return extractor.extract(table.value);
  };
}

/** Facts in lines that people can read. Expressions and types are written out where they are used. */
export class FactsDump {
  constructor(readonly facts: FileFacts) {}

  /** `kind qualified.name [modifiers] type= value= complexity=` */
  symbols(): string[] {
    const { symbols } = this.facts;
    return rows(symbols.count).map(row => {
      const parts = [SYMBOL_KINDS[symbols.kind[row] ?? 0] ?? '', this.symbol(row)];
      const modifiers = modifierNames(symbols.modifiers[row] ?? 0).filter(name => name !== 'exported');
      if (modifiers.length > 0) parts.push(`[${modifiers.join(' ')}]`);
      if ((symbols.type[row] ?? NONE) !== NONE) parts.push(`type=${this.expression(symbols.type[row])}`);
      if ((symbols.value[row] ?? NONE) !== NONE) parts.push(`value=${this.expression(symbols.value[row])}`);
      return parts.join(' ');
    });
  }

  /** `scope: kind name type= value=` */
  bindings(): string[] {
    const { bindings } = this.facts;
    return rows(bindings.count).map(row => {
      const parts = [`${this.scope(bindings.scope[row] ?? 0)}:`, BINDING_KINDS[bindings.kind[row] ?? 0] ?? '', this.text(bindings.name[row])];
      if ((bindings.position[row] ?? NONE) !== NONE) parts.push(`#${bindings.position[row]}`);
      if ((bindings.symbol[row] ?? NONE) !== NONE) parts.push(`-> ${this.symbol(bindings.symbol[row] ?? NONE)}`);
      if ((bindings.type[row] ?? NONE) !== NONE) parts.push(`type=${this.expression(bindings.type[row])}`);
      if ((bindings.value[row] ?? NONE) !== NONE) parts.push(`value=${this.expression(bindings.value[row])}`);
      return parts.join(' ');
    });
  }

  /** `owner kind expression @line:column` */
  references(): string[] {
    const { references } = this.facts;
    return rows(references.count).map(row => {
      const owner = references.owner[row] ?? NONE;
      const kind = REFERENCE_KINDS[references.kind[row] ?? 0];
      return `${owner === NONE ? '<module>' : this.symbol(owner)} ${kind} ${this.expression(references.expression[row])} @${references.line[row]}:${references.column[row]}`;
    });
  }

  assignments(): string[] {
    const { assignments } = this.facts;
    return rows(assignments.count).map(row => {
      const symbol = assignments.symbol[row] ?? NONE;
      const type = assignments.type[row] ?? NONE;
      const declared = type === NONE ? '' : `: ${this.expression(type)}`;
      const target = `${this.expression(assignments.target[row])}.${this.text(assignments.name[row])}`;
      return `${target}${declared} = ${this.expression(assignments.value[row])}${symbol === NONE ? '' : ` -> ${this.symbol(symbol)}`}`;
    });
  }

  heritage(): string[] {
    const { heritage } = this.facts;
    return rows(heritage.count).map(
      row => `${this.symbol(heritage.symbol[row] ?? NONE)} ${HERITAGE_KINDS[heritage.kind[row] ?? 0]} ${this.expression(heritage.expression[row])}`,
    );
  }

  imports(): string[] {
    const { imports } = this.facts;
    return rows(imports.count).map(row => {
      const from = `${'.'.repeat(imports.level[row] ?? 0)}${this.text(imports.specifier[row])}`;
      const names = [this.text(imports.importedName[row]), this.text(imports.localName[row])].filter(name => name !== '').join(' as ');
      return `${IMPORT_KINDS[imports.kind[row] ?? 0]} ${from}${names === '' ? '' : ` ${names}`}${imports.typeOnly[row] === 1 ? ' (type only)' : ''}`;
    });
  }

  exports(): string[] {
    const { exports } = this.facts;
    return rows(exports.count).map(row => {
      const value = exports.value[row] ?? NONE;
      const names = [this.text(exports.localName[row]), this.text(exports.importedName[row]), this.text(exports.exportedName[row])].filter(name => name !== '');
      return `${EXPORT_KINDS[exports.kind[row] ?? 0]} ${names.join(' as ')}${value === NONE ? '' : ` = ${this.expression(value)}`}`;
    });
  }

  /** `name(parameters): type returns` */
  functions(): string[] {
    const { functions, bindings } = this.facts;
    return rows(functions.count).map(row => {
      const symbol = functions.symbol[row] ?? NONE;
      const parameters = this.list(functions.parameterStart[row], functions.parameterCount[row]).map(binding =>
        binding === NONE ? '_' : this.text(bindings.name[binding]),
      );
      const returns = this.list(functions.returnStart[row], functions.returnCount[row]).map(expression => this.expression(expression));
      const type = functions.returnType[row] ?? NONE;
      const modifiers = modifierNames(functions.modifiers[row] ?? 0);
      const head = `${modifiers.map(name => `${name} `).join('')}${symbol === NONE ? '<anonymous>' : this.symbol(symbol)}(${parameters.join(', ')})`;
      return `${head}${type === NONE ? '' : `: ${this.expression(type)}`}${returns.length === 0 ? '' : ` returns ${returns.join('; ')}`}`;
    });
  }

  /** `a.b(c)` for values, `List<x>`-like forms for the rest. */
  expression(row: number | undefined, depth = 0): string {
    if (row === undefined || row === NONE) return '-';
    if (depth > 12) return '…';
    const { expressions } = this.facts;
    const operator = OPERATORS[expressions.operator[row] ?? 0] ?? 'unknown';
    const text = this.text(expressions.text[row]);
    const a = expressions.a[row] ?? NONE;
    const b = expressions.b[row] ?? NONE;
    const items = this.list(expressions.listStart[row], expressions.listCount[row]);
    const sub = (item: number): string => this.expression(item, depth + 1);
    const list = items.map(sub).join(', ');
    switch (operator) {
      case 'name':
        return text;
      case 'member':
        return `${sub(a)}.${text}`;
      case 'index':
        return `${sub(a)}[${text !== '' ? text : sub(b)}]`;
      case 'call':
        return `${sub(a)}(${list})`;
      case 'new':
        return `new ${sub(a)}(${list})`;
      case 'literal':
        return `<${text}>`;
      case 'array':
        return `${text}[${list}]`;
      case 'object':
      case 'objectType':
        return `{${pairs(items)
          .map(([key, value]) => `${this.text(key)}: ${sub(value)}`)
          .join(', ')}}`;
      case 'function':
        return `fn${this.facts.functions.symbol[a] === NONE ? '' : ` ${this.symbol(this.facts.functions.symbol[a] ?? NONE)}`}`;
      case 'class':
        return `class ${this.symbol(a)}`;
      case 'module':
        return `module ${text}`;
      case 'this':
      case 'super':
        return operator;
      case 'generic':
        return `${sub(a)}<${list}>`;
      case 'either':
        return `(${items.map(sub).join(' | ')})`;
      case 'operation':
        return `(${text} ${sub(a)}${b === NONE ? '' : ` ${sub(b)}`})`;
      case 'unknown':
        return '?';
      default:
        return `${operator}${text === '' ? '' : `:${text}`}(${[a === NONE ? '' : sub(a), list].filter(part => part !== '').join(', ')})`;
    }
  }

  symbol(row: number): string {
    return row === NONE ? '-' : qualifiedName(this.facts, row).join('.');
  }

  text(index: number | undefined): string {
    return textOf(this.facts, index ?? 0);
  }

  list(start: number | undefined, count: number | undefined): number[] {
    return [...this.facts.lists.subarray(start ?? 0, (start ?? 0) + (count ?? 0))];
  }

  /** `module`, the symbol that opens the scope, or the kind and number of a nameless one. */
  scope(row: number): string {
    const symbol = this.facts.scopes.symbol[row] ?? NONE;
    const kind = SCOPE_KINDS[this.facts.scopes.kind[row] ?? 0] ?? '';
    return kind === 'module' ? kind : symbol === NONE ? `${kind}${row}` : this.symbol(symbol);
  }
}

function rows(count: number): number[] {
  return Array.from({ length: count }, (_, row) => row);
}

function pairs(items: readonly number[]): [number, number][] {
  return items.flatMap((key, at): [number, number][] => (at % 2 === 0 ? [[key, items[at + 1] ?? NONE]] : []));
}
