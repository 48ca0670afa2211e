/** Small questions about terms, scopes and values. */
import { type CallTerm, type DigestClass, type DigestFunction, type GenericTerm, type Term, wordsIn } from '../../model/digest';
import { languageRow } from '../../model/languages';
import { type FileUnit, moduleName, nameOf, type Scope } from './units';
import type { LiteralFields, Value } from './values';

export function sharedFolders(left: string, right: string): number {
  const args = left.split('/');
  const body = right.split('/');
  let count = 0;
  while (count < args.length - 1 && args[count] === body[count]) count++;
  return count;
}

/** Files of a folder are one package. */
export function isFolderPackage(file: FileUnit): boolean {
  return file.package !== '' && !file.package.includes('.') && languageRow(file.language).folderIsPackage === true;
}

/** Whether members are named without their object. */
export function hasImplicitSelf(file: FileUnit): boolean {
  return languageRow(file.language).implicitSelf === true;
}

export function isSelf(fn: DigestFunction): boolean {
  const [first] = fn.parameters;
  return first?.name === 'self' || first?.name === 'cls' || (first?.decorators ?? []).some(term => nameOf(term) === 'this');
}

/** Whether a method is read as an attribute. */
export function isProperty({ decorators }: DigestFunction): boolean {
  return (decorators ?? []).some(term => /^(?:cached_)?property$/.test(nameOf(term)));
}

export function isBlock(term: Term): boolean {
  return term !== 0 && term.kind === 'function' && term.fn.name === '*block';
}

/** The variable of a loop: one of the items of lists. */
export function isLoopVariable(term: GenericTerm): boolean {
  return term.base !== 0 && term.base.kind === 'name' && term.base.name === '*each';
}

/** The name that a term begins with, or undefined and the terms in it. Bodies of functions are left out. */
export function partsOf(term: Term): readonly [root: string | undefined, ...inside: Term[]] {
  if (term === 0) return [undefined];
  switch (term.kind) {
    case 'name':
      return [term.name];
    case 'member':
      return partsOf(term.owner);
    case 'call':
      return [undefined, term.callee, ...term.args];
    case 'named':
      return [undefined, term.value];
    case 'list':
      return [undefined, ...term.items];
    case 'object':
      return [undefined, ...term.entries.map(([, value]) => value)];
    case 'generic':
      return isLoopVariable(term) ? [undefined] : [undefined, term.base, ...term.args];
    case 'join':
    case 'any':
    case 'other':
      return [undefined, ...term.parts];
    default:
      return [undefined];
  }
}

/** In place of the index of a parameter: what `this` means in a function. */
export const RECEIVER = -1;

export function selfScope(scope: Scope): Scope | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.up) if (at.cls !== undefined) return at;
  return undefined;
}

export function bound(value: Value, cls: DigestClass, scope: Scope): Value {
  return value.kind === 'function' ? { ...value, self: { kind: 'instance', cls, scope } } : value;
}

/** Path of something outside: `from` and the name in it, joined with dots; a module as a whole is called as it is. */
export function outsidePath(from: string, name: string): string {
  const module = from.replace(/^node:/, '').replaceAll('::', '.');
  if (name === '*' || name === 'default' || name === '') return module;
  return module === '' ? name : `${module}.${name}`;
}

export function matchesSpecifier(path: string, from: string): boolean {
  const name =
    from
      .replace(/\/$/, '')
      .split('/')
      .at(-1)
      ?.replace(/\.(?:[cm]?[jt]s|json)$/, '') ?? '';
  return name === '' || name === '.' || name === '..' || moduleName(path) === name || path.includes(`/${name}`) || path.startsWith(name);
}

export function readsEnvironment(fn: DigestFunction): boolean {
  return wordsIn(fn.body).some(word => /[Gg]etenv|LookupEnv|environ|^env$/.test(word));
}

/** Whether a function gives back one of its arguments as it is. */
export function returnsParameter({ body, parameters }: DigestFunction): boolean {
  return body.some(step => {
    const value: Term = step.kind === 'return' ? step.value : 0;
    return value !== 0 && value.kind === 'name' && parameters.some(({ name }) => name === value.name);
  });
}

/** Methods and functions that only take something off the ends of a text. */
const TRIMS =
  /^(?:[lr]?strip|trim(?:End|Start|Left|Right|_end|_start)?(?:_matches)?|Trim(?:End|Start|Left|Right|Suffix|Prefix|Space)?|remove_?(?:suffix|prefix)|chomp)$/i;

/**
 * The text that a call only takes something off (`base.rstrip("/")`, `strings.TrimSuffix(base, "/")`, `base.replace(/\/$/, '')`) or makes an address of
 * (`URI.create(base)`, `new URI(base)`); 0 for other calls.
 */
export function keptTerm({ args, callee, isConstruction }: CallTerm): Term {
  const [first = 0, second = 0] = args;
  if (isConstruction === true && args.length === 1) return /^Ur[il]$/i.test(nameOf(callee)) ? first : 0;
  if (callee === 0 || callee.kind !== 'member') return 0;
  if (callee.name === 'create' && args.length === 1 && nameOf(callee.owner) === 'URI') return first;
  if (TRIMS.test(callee.name)) return args.length > 1 ? first : callee.owner;
  return /^replace(?:All)?$/.test(callee.name) && second !== 0 && second.kind === 'text' && second.text === '' ? callee.owner : 0;
}

export function holeName(term: Term): string {
  if (term === 0) return 'value';
  const trimmed = term.kind === 'call' ? keptTerm(term) : 0;
  if (trimmed !== 0) return holeName(trimmed);
  if (term.kind === 'name' || term.kind === 'member') return term.name === '*' ? 'value' : term.name;
  if (term.kind === 'call')
    return term.args.length === 1
      ? holeName(term.args[0] ?? 0)
      : term.callee !== 0 && term.callee.kind === 'member' && term.callee.owner !== 0
        ? holeName(term.callee.owner)
        : nameOf(term.callee) || 'value';
  return 'value';
}

/** Whether something is of the workspace. */
export function isKnown({ kind }: Value): boolean {
  return kind !== 'outside' && kind !== 'made';
}

/** What is only known by what made it may be what its type says as well: a framework may give it. */
export function orOfType(given: readonly Value[], ofType: () => readonly Value[]): readonly Value[] {
  return given.some(value => value.kind !== 'made') ? given : [...given, ...ofType().filter(value => value.kind === 'made')];
}

export function sameValue(left: Value, right: Value): boolean {
  return left === right || (left.kind === 'router' && right.kind === 'router' && left.router === right.router);
}

export function distinct(values: readonly Value[]): readonly Value[] {
  if (values.length < 2) return values;
  const out: Value[] = [];
  for (const value of values) {
    const isKnown = out.some(
      other =>
        sameValue(other, value) ||
        (other.kind === 'outside' && value.kind === 'outside' && other.path === value.path) ||
        (other.kind === 'function' && value.kind === 'function' && other.fn === value.fn) ||
        (other.kind === 'text' &&
          value.kind === 'text' &&
          other.via?.position === value.via?.position &&
          other.via?.file === value.via?.file &&
          JSON.stringify(other.pieces) === JSON.stringify(value.pieces)),
    );
    if (!isKnown) out.push(value);
  }
  return out;
}

/** What is called, without type arguments. */
export function calleeOf(call: CallTerm): Term {
  return call.callee !== 0 && call.callee.kind === 'generic' ? call.callee.base : call.callee;
}

/** Fields that a literal of a type sets: by name, or in the order in which the type declares them. */
export function fieldsOf({ args, isConstruction }: CallTerm, cls: DigestClass): readonly (readonly [name: string, value: Term])[] {
  const [only] = args;
  if (args.length !== 1 || only === undefined || only === 0) return [];
  if (only.kind === 'object') return only.entries;
  if (only.kind !== 'list' || isConstruction !== true) return [];
  const names = cls.body.flatMap(step => (step.kind === 'let' ? [step.name] : []));
  return only.items.flatMap((item, at) => (names[at] === undefined ? [] : [[names[at], item] as const]));
}

/** Fields that making an instance sets: those of a literal, or those that the constructor fills with what it is given. Undefined where none is known. */
export function fieldsSetBy(call: CallTerm, cls: DigestClass, file: FileUnit): LiteralFields['entries'] | undefined {
  if (isFolderPackage(file)) return fieldsOf(call, cls);
  const makers = cls.body.flatMap(step => (step.kind === 'fn' && /^(?:constructor|__init__)$/.test(step.fn.name) ? [step.fn] : []));
  const made = makers.find(fn => fn.parameters.length - (isSelf(fn) ? 1 : 0) === call.args.length) ?? makers[0];
  if (made === undefined) return declaredFields(call, cls);
  const given = new Map<string, Term>();
  let position = isSelf(made) ? 1 : 0;
  for (const term of call.args) {
    const name = term !== 0 && term.kind === 'named' ? term.name : made.parameters[position++]?.name;
    if (name !== undefined && term !== 0) given.set(name, term.kind === 'named' ? term.value : term);
  }
  if (given.size === 0) return undefined;
  const set = made.body.flatMap((step): (readonly [string, Term])[] => {
    if (step.kind !== 'set' || step.target === 0 || step.target.kind !== 'member' || !/^(?:this|self)$/.test(nameOf(step.target.owner))) return [];
    const value = step.value !== 0 && step.value.kind === 'name' ? given.get(step.value.name) : undefined;
    return value === undefined ? [] : [[step.target.name, value]];
  });
  return [...set, ...given];
}

/** Of a type whose constructor is made from its fields, as records and data classes have it. */
function declaredFields({ args }: CallTerm, { bases, body }: DigestClass): LiteralFields['entries'] | undefined {
  const names = body.flatMap(step => (step.kind === 'let' && (step.value ?? 0) === 0 ? [step.name] : []));
  if (args.length === 0 || bases.length > 0 || names.length !== args.length || args.some(term => term !== 0 && term.kind === 'named')) return undefined;
  return names.flatMap((name, at) => (args[at] === undefined || args[at] === 0 ? [] : [[name, args[at]] as const]));
}

/** What was set for a field of an instance; `areAccessors`: also by the name of a method that gives it. */
export function fieldIn(fields: LiteralFields | undefined, name: string, areAccessors: boolean): Term | undefined {
  const set = (wanted: string): Term | undefined => fields?.entries.find(([key]) => key === wanted)?.[1];
  return set(name) ?? (areAccessors ? set(withoutGet(name)) : undefined);
}

/** Items of a literal of a type that is a list of others (`type Routes []Route`), each of that type; undefined when it is no list. */
export function listed({ args, isConstruction }: CallTerm, { bases }: DigestClass): readonly Term[] | undefined {
  const [type = 0] = bases;
  const [only = 0] = args;
  const isList = type !== 0 && type.kind === 'generic' && type.base !== 0 && type.base.kind === 'name' && /^\*(?:slice|map)$/.test(type.base.name);
  if (!isList || isConstruction !== true || args.length !== 1 || only === 0) return undefined;
  const items = only.kind === 'list' ? only.items : only.kind === 'object' ? only.entries.map(([, value]) => value) : [];
  return items.map(item => ofType(item, type.args[0] ?? 0));
}

/** A literal without a type of its own, in a list of a type: `[]Route{{"GET", "/orders"}}`. */
export function ofType(item: Term, type: Term): Term {
  if (type === 0 || item === 0 || (item.kind !== 'list' && item.kind !== 'object')) return item;
  return { kind: 'call', callee: type, args: [item], isConstruction: true, position: 0 };
}

/** What a format of `printf` joins. */
export function formattedTerms(format: string, args: readonly Term[]): readonly Term[] {
  let at = 0;
  return format.split(/(%[-+# 0]*[\d.*]*[A-Za-z%])/).flatMap((part, index): Term[] => {
    if (index % 2 === 0) return part === '' ? [] : [{ kind: 'text', text: part }];
    return part.endsWith('%') ? [{ kind: 'text', text: '%' }] : [args[at++] || { kind: 'name', name: '*', position: 0 }];
  });
}

/** `getOrders` as `orders`. */
export function withoutGet(name: string): string {
  return name.replace(/^[gG]et(?=[A-Z])/, '').replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, first => first.toLowerCase());
}
