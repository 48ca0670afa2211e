/**
 * Types of the protocol from the shapes of the features: what each may be asked and what it answers, with the comments of the shapes; what each tool is
 * given, and the answers of those that the editor reads.
 * Reads the sources as the compiler does; an expression that it does not know is printed as the type that the compiler infers.
 */
import { relative } from 'node:path';
import ts from 'typescript';

const capital = name => name[0].toUpperCase() + name.slice(1);
const indented = text => text.replaceAll('\n', '\n  ');

/** The text of `server/protocol/features.ts`, before it is formatted. */
export function featureTypes(root) {
  const config = ts.readConfigFile(`${root}/server/tsconfig.core.json`, ts.sys.readFile).config;
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, `${root}/server`);
  const program = ts.createProgram(
    fileNames.filter(name => name.includes('/features/catalogue/') || name.endsWith('/tools/catalogue.ts')),
    { ...options, composite: false, incremental: false, noEmit: true },
  );
  const source = path => program.getSourceFile(`${root}/server/src/${path}`);
  return new Printer(program.getTypeChecker(), root).protocol(source('features/catalogue/catalogue.ts'), source('tools/catalogue.ts'));
}

class Printer {
  /** Declarations of shapes by the name of their type; a name that several have begins with the room of each. */
  #names = new Map();
  #written = new Map();
  /** Whether types are printed as they are given, or as they are read. */
  #side = 'output';

  constructor(checker, root) {
    this.checker = checker;
    this.root = root;
  }

  protocol(catalogue, toolCatalogue) {
    const rows = this.#objectOf(catalogue, 'FEATURES').properties.map(property => this.#valueOf(property.initializer));
    const allTools = this.#elementsOf(this.#objectOf(toolCatalogue, 'TOOLS')).map(tool => this.#valueOf(tool));
    const tools = allTools.filter(tool => tool.answer !== undefined);
    for (const row of rows) for (const part of [row.params, row.answer]) this.#collect(part);
    for (const tool of tools) this.#collect(tool.answer);
    const features = rows.map(({ about, name, params, answer }) => {
      this.#side = 'input';
      const asked = this.#reference(params);
      this.#side = 'output';
      return `/** ${about.text} */\nreadonly ${name.text}: { readonly params: ${asked}; readonly answer: ${this.#shape(answer)} };\n`;
    });
    const answers = tools.map(({ answer, name }) => `readonly ${name.text}: ${this.#shape(answer)};\n`);
    this.#side = 'input';
    const inputs = allTools.map(({ input, name }) => `readonly ${name.text}: ${this.#inferred(input)};\n`);
    const types = [...this.#written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    return `${HEAD}${types.join('\n')}\n/** All features by name. */\nexport interface Features {\n  ${indented(features.join('').trimEnd())}\n}\n${TAIL}\n${TOOLS_HEAD}export interface ToolAnswers {\n  ${indented(answers.join('').trimEnd())}\n}\n${INPUTS_HEAD}export interface ToolInputs {\n  ${indented(inputs.join('').trimEnd())}\n}\n`;
  }

  /** The fields of the object that a call such as `feature({ … })` is given, by name. */
  #valueOf(identifier) {
    const [value] = this.#declared(identifier).initializer.arguments;
    return Object.fromEntries(value.properties.filter(part => !ts.isSpreadAssignment(part)).map(part => [part.name.text, part.initializer ?? part.name]));
  }

  /** The identifiers of a list, those of the lists that are spread in it included. */
  #elementsOf(list) {
    return list.elements.flatMap(element => {
      if (ts.isSpreadElement(element)) return this.#elementsOf(this.#declared(element.expression).initializer);
      return [element];
    });
  }

  #objectOf(file, name) {
    for (const statement of file.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name: declared, initializer } of statement.declarationList.declarations) if (declared.text === name) return initializer;
    }
    throw new Error(`${file.fileName} has no ${name}`);
  }

  #declared(identifier) {
    let symbol = this.checker.getSymbolAtLocation(identifier);
    if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = this.checker.getAliasedSymbol(symbol);
    const declaration = symbol?.declarations?.[0];
    if (declaration === undefined) throw new Error(`nothing declares ${identifier.getText()}`);
    return ts.isShorthandPropertyAssignment(declaration) ? this.#declared(declaration.name) : declaration;
  }

  /** The declaration `const xShape = shape(() => …)` that an identifier means. */
  #shapeOf(identifier) {
    if (!ts.isIdentifier(identifier)) return undefined;
    const declaration = this.#declared(identifier);
    const call = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return call !== undefined && ts.isCallExpression(call) && call.expression.getText() === 'shape' ? declaration : undefined;
  }

  /** Finds all shapes below one, to name them. */
  #collect(node) {
    const declaration = this.#shapeOf(node);
    if (declaration !== undefined) {
      const known = this.#names.get(typeName(declaration)) ?? new Set();
      if (known.has(declaration)) return;
      this.#names.set(typeName(declaration), known.add(declaration));
      this.#collect(declaration.initializer);
      return;
    }
    node.forEachChild(child => this.#collect(child));
  }

  #nameOf(declaration) {
    const name = typeName(declaration);
    if ((this.#names.get(name)?.size ?? 0) < 2) return name;
    const room = /^server\/src\/features\/(\w+)\//.exec(this.#placeOf(declaration))?.[1] ?? '';
    return `${capital(room)}${name}`;
  }

  /** What stands where a shape is meant: `xShape`, or `stamped(xShape)`. */
  #shape(node) {
    if (ts.isCallExpression(node) && node.expression.getText() === 'stamped') return `Stamped<${this.#shape(node.arguments[0])}>`;
    return this.#reference(node);
  }

  #placeOf(declaration) {
    return relative(this.root, declaration.getSourceFile().fileName).replaceAll('\\', '/');
  }

  #reference(identifier) {
    const declaration = this.#shapeOf(identifier);
    if (declaration === undefined) throw new Error(`${identifier.getText()} is no shape`);
    const name = this.#nameOf(declaration);
    if (this.#written.has(name)) return name;
    this.#written.set(name, '');
    const made = declaration.initializer.arguments[0];
    const of = result(made);
    const body = this.#type(of);
    const isObject = ts.isCallExpression(of) && ['object', 'open'].includes(of.expression.getText());
    const place = this.#placeOf(declaration).replace('server/src/', '');
    const about = commentOf(declaration.parent.parent) || `/** \`${place}\` */`;
    this.#written.set(name, isObject ? `${about}\nexport interface ${name} ${body}\n` : `${about}\nexport type ${name} = ${body};\n`);
    return name;
  }

  #type(node) {
    if (ts.isParenthesizedExpression(node)) return this.#type(node.expression);
    if (ts.isCallExpression(node)) {
      const { expression, arguments: given } = node;
      const called = expression.getText();
      if (called === 'object' || called === 'open') return `{\n  ${indented(this.#members(given[0]).trimEnd())}\n}`;
      if (called === 'unset') return `${this.#type(given[0])} | undefined`;
      if (called === 'optional') return this.#type(given[0]);
      if (called === 'z.enum' || called === 'choice') return this.#choice(given[0]) ?? this.#inferred(node);
      if (called === 'z.array') return `readonly ${wrapped(this.#type(given[0]))}[]`;
      if (called === 'z.union') return given[0].elements.map(each => this.#type(each)).join(' | ');
      if (called === 'z.record') return `Readonly<Record<${this.#type(given[0])}, ${this.#type(given[1])}>>`;
      if (called === 'z.partialRecord') return `Readonly<Partial<Record<${this.#type(given[0])}, ${this.#type(given[1])}>>>`;
      if (ts.isIdentifier(expression) && given.length === 0 && this.#shapeOf(expression) !== undefined) return this.#reference(expression);
      if (ts.isPropertyAccessExpression(expression)) {
        const { expression: of, name } = expression;
        if (name.text === 'nullable') return `${wrapped(this.#type(of))} | null`;
        if (name.text === 'pick' || name.text === 'omit') {
          const keys = given[0].properties.map(property => `'${property.name.text}'`);
          return `${capital(name.text)}<${this.#type(of)}, ${keys.join(' | ')}>`;
        }
      }
    }
    return this.#inferred(node);
  }

  /** Texts in the order of the list that holds them. */
  #choice(list) {
    const values = ts.isIdentifier(list) ? this.#declared(list).initializer : list;
    const literal = values !== undefined && ts.isAsExpression(values) ? values.expression : values;
    if (literal === undefined || !ts.isArrayLiteralExpression(literal) || !literal.elements.every(ts.isStringLiteral)) return undefined;
    return literal.elements.map(each => `'${each.text}'`).join(' | ');
  }

  /** The fields of an object literal, spread ones included. */
  #members(literal) {
    return literal.properties
      .map(property => {
        if (ts.isSpreadAssignment(property)) return this.#spread(property.expression);
        const value = ts.isGetAccessor(property) ? result(property) : property.initializer;
        const comment = commentOf(property);
        const isOptional = ts.isCallExpression(value) && value.expression.getText() === 'optional';
        return `${comment === '' ? '' : `${comment}\n`}readonly ${property.name.getText()}${isOptional ? '?' : ''}: ${this.#type(value)}${isOptional && this.#side === 'input' ? ' | undefined' : ''};\n`;
      })
      .join('');
  }

  /** `...xShape().shape`, or `...fields` of an object declared beside it. */
  #spread(expression) {
    if (ts.isIdentifier(expression)) return this.#members(this.#declared(expression).initializer);
    const of = expression.expression;
    const picked = ts.isCallExpression(of) && ts.isPropertyAccessExpression(of.expression) && of.expression.name.text === 'pick' ? of : undefined;
    const call = picked === undefined ? of : picked.expression.expression;
    const body = result(this.#shapeOf(call.expression).initializer.arguments[0]);
    if (picked === undefined) return this.#members(body.arguments[0]);
    const keys = new Set(picked.arguments[0].properties.map(property => property.name.text));
    const properties = body.arguments[0].properties.filter(property => keys.has(property.name?.text));
    return this.#members({ properties });
  }

  /** The type that zod says is read or given. */
  #inferred(node) {
    const { checker } = this;
    const zod = checker.getPropertyOfType(checker.getTypeAtLocation(node), '_zod');
    const side = zod === undefined ? undefined : checker.getPropertyOfType(checker.getTypeOfSymbolAtLocation(zod, node), this.#side);
    if (side === undefined) throw new Error(`${node.getText()} is no type`);
    const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;
    const text = checker.typeToString(checker.getTypeOfSymbolAtLocation(side, node), undefined, flags);
    // The compiler's order of texts depends on what else it has read.
    const words = text.split(' | ');
    if (words.every(word => /^'[^']*'$/.test(word))) return words.sort().join(' | ');
    return text
      .replace('{ [x: string]: never; }', 'Readonly<Record<never, never>>')
      .replace(/(?<!readonly )\b(\w+)\[\]/g, 'readonly $1[]')
      .replace(/'[^']*'(?: \| '[^']*')+/g, some => some.split(' | ').sort().join(' | '))
      .replace(/(?<=[{;] )(?!readonly )(?=\w+\??: )/g, 'readonly ');
  }
}

/** `ImpactAnswer` of `impactAnswerShape`, `ImpactParams` of `impactParams`. */
function typeName(declaration) {
  return capital(declaration.name.text.replace(/Shape$/, ''));
}

/** What a function that only returns something returns. */
function result(made) {
  if (!ts.isBlock(made.body)) return made.body;
  const last = made.body.statements.at(-1);
  if (last === undefined || !ts.isReturnStatement(last)) throw new Error(`${made.getText()} returns nothing`);
  return last.expression;
}

function commentOf(node) {
  const text = node.getSourceFile().text;
  const found = ts.getLeadingCommentRanges(text, node.getFullStart())?.at(-1);
  return found === undefined ? '' : text.slice(found.pos, found.end).replace(/\n\s+\*/g, '\n *');
}

function wrapped(type) {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type.startsWith('readonly ') ? `(${type})` : type;
}

const HEAD = `/**
 * What features are asked and what they answer, and what the editor reads of tools; written by \`npm run update\` from their shapes in server/src/features and server/src/tools.
 * Lines are 1-based, columns 0-based in UTF-16 code units; paths are inside the workspace folder, with \`/\` between segments.
 */

/** An answer that says what it was computed from. */
export type Stamped<Answer> = Answer & { readonly stamp: Stamp };

`;

const TAIL = `
export type FeatureName = keyof Features;
export type ParamsOf<Name extends FeatureName> = Features[Name]['params'];
export type AnswerOf<Name extends FeatureName> = Features[Name]['answer'];
`;

const TOOLS_HEAD = `/**
 * What the editor reads of the data of tools' answers; there are other fields beside. Fields that may be missing are so where they are empty or did not fit.
 */
`;

const INPUTS_HEAD = `
/** What each tool is given by its own name, in the spelling of its schema; \`ToolInput\` adds what every tool takes. */
`;
