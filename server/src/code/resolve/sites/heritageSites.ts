import { confidenceOf, MAX_CONFIDENCE, sourceCode } from '../../../model/evidence';
import { operandOf } from '../../../model/expressions';
import {
  BINDING_KINDS,
  type ExpressionRow,
  HERITAGE_KINDS,
  type HeritageRow,
  heritageRow,
  NO_TEXT,
  NONE,
  operatorCode,
  type SymbolRow,
  symbolRow,
} from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import { relationCode } from '../../../model/relations';
import { aliasOf } from '../evaluate/declared/symbols';
import type { Evaluator } from '../evaluate/evaluator';
import { ownerOfSymbol } from '../evaluate/generics';
import { baseTypes } from '../evaluate/hierarchy';
import { declarationsAcross, outsideHeritage, outsideMembersOf } from '../evaluate/packages/openTypes';
import type { FileState } from '../fileState';
import { type NameNumber, NO_NAME } from '../numbers';
import { TYPE_KINDS } from '../precise/preciseFile';
import { preciseCandidate, writeImplementations } from '../precise/preciseSites';
import { VALUE } from '../values';
import { writeInheritedConstructors } from './constructorSites';
import { candidate } from './reached';
import type { SiteContext } from './siteContext';
import type { Candidate } from './siteWriter';

const IMPLEMENTS = HERITAGE_KINDS.indexOf('implements');

/** INHERITS and IMPLEMENTS of each type, OVERRIDES of each method. */
export function writeHeritage(context: SiteContext): void {
  const { ev, file, writer } = context;
  const { heritage, symbols } = file.facts;
  const spelled = new Set<number>();
  for (let row = heritageRow(0); row < heritage.count; row++) {
    const symbol = heritage.symbol[row] ?? NONE;
    const expression = heritage.expression[row] ?? NONE;
    const from = symbol === NONE ? receiverNode(context, row) : (file.symbolNodes[symbol] ?? file.fileNode);
    if (from < 0 || ev.project.ownerOf(from) !== file) continue;
    ev.inBody(ev.unitOfSymbol(file, symbol), () => {
      const length = nameLength(file, expression);
      const candidates = preciseBase(context, row, length) ?? baseCandidates(context, expression);
      for (const { node } of candidates) spelled.add(pairOf(from, node));
      const relation = implementsBase(context, row, symbol, candidates) ? relationCode.IMPLEMENTS : relationCode.INHERITS;
      const line = heritage.line[row] ?? 0;
      const column = heritage.column[row] ?? 0;
      if (candidates.length === 0) {
        const isOpen = ev.values.members(ev.typeOf(file, expression)).some(value => ev.values.kindOf(value) === VALUE.unknown);
        context.missed.count(isOpen ? 'unresolved' : 'external', symbol, { line, column, length });
      }
      writer.add(relation, from, line, column, length, candidates);
    });
  }
  for (let row = symbolRow(0); row < symbols.count; row++) {
    if (!file.isModular && file.isContainer(row)) writeOutside(context, row);
    const isSpelled = (node: NodeHandle): boolean => spelled.has(pairOf(file.symbolNodes[row] ?? NO_NODE, node));
    if (!writeImplementations(context, row, isSpelled)) writeOverride(context, row);
    writeInheritedConstructors(context, row);
  }
}

/** As the row says; where the language does not say it, what the base is decides. */
function implementsBase({ ev, file }: SiteContext, row: HeritageRow, symbol: SymbolRow, candidates: readonly Candidate[]): boolean {
  const { heritage, symbols } = file.facts;
  const isSaid = heritage.kind[row] === IMPLEMENTS;
  const [candidate] = candidates;
  const base = candidate === undefined || file.rules.basesByKind !== true ? undefined : ev.project.ownerOf(candidate.node);
  if (base === undefined || candidate === undefined) return isSaid;
  const isInterface = base.facts.symbols.kind[ev.project.rowOf(candidate.node)] === symbolKindCode.interface;
  return isInterface && symbols.kind[symbol] !== symbolKindCode.interface;
}

/** Bases and members that other declarations give a type, at the type's own name: an edge stands in the file of what it starts at. */
function writeOutside(context: SiteContext, row: SymbolRow): void {
  const { ev, file, writer } = context;
  const { symbols } = file.facts;
  const from = file.symbolNodes[row] ?? NO_NODE;
  const line = symbols.nameLine[row] ?? 0;
  const column = symbols.nameColumn[row] ?? 0;
  const length = file.text(symbols.name[row] ?? NO_TEXT).length;
  if (from !== ev.canonical(file, row)) return;
  ev.inBody(ev.unitOfSymbol(file, row), () => {
    for (const entry of outsideHeritage(ev, file, row)) {
      if (entry.file === file) continue;
      const { heritage } = entry.file.facts;
      const relation = heritage.kind[entry.row] === IMPLEMENTS ? relationCode.IMPLEMENTS : relationCode.INHERITS;
      writer.add(relation, from, line, column, length, baseCandidatesOf(ev, entry.file, heritage.expression[entry.row] ?? NONE));
    }
    if (file.rules.structural === true && symbols.kind[row] !== symbolKindCode.interface) writeStructural(context, row);
    for (const entry of outsideMembersOf(ev, file, row)) {
      writer.add(relationCode.CONTAINS, from, line, column, length, [candidate(entry.file.symbolNodes[entry.row] ?? NO_NODE, 'syntax')]);
    }
  });
}

/** Interfaces that a type implements by having all their members. */
function writeStructural(context: SiteContext, row: SymbolRow): void {
  const { ev, file, writer, guesses } = context;
  const { symbols } = file.facts;
  const from = file.symbolNodes[row] ?? NO_NODE;
  const owners = new Set<NodeHandle>();
  for (const entry of outsideMembersOf(ev, file, row)) {
    const name = file.projectName(entry.file.text(entry.file.facts.symbols.name[entry.row] ?? NO_TEXT));
    for (const { owner } of guesses.interfaceMembers(ev, from, name)) owners.add(owner);
  }
  const ordered = [...owners].sort((left, right) => (ev.project.idText(left) < ev.project.idText(right) ? -1 : 1));
  const length = file.text(symbols.name[row] ?? NO_TEXT).length;
  for (const node of ordered)
    writer.add(relationCode.IMPLEMENTS, from, symbols.nameLine[row] ?? 0, symbols.nameColumn[row] ?? 0, length, [candidate(node, 'type')]);
}

/** One number for a type and one of its bases. */
function pairOf(from: NodeHandle, to: number): number {
  return from * 2 ** 26 + to;
}

/** Base type that a precise index names at a heritage row. */
function preciseBase({ file, precise }: SiteContext, row: HeritageRow, length: number): readonly Candidate[] | undefined {
  const { heritage } = file.facts;
  const target = precise?.targetAt(heritage.line[row] ?? 0, heritage.column[row] ?? 0, length);
  return typeof target === 'object' && TYPE_KINDS.has(target.kind) ? [preciseCandidate(target.node)] : undefined;
}

/** Type that a heritage row outside its declaration belongs to, or -1. */
function receiverNode(context: SiteContext, row: HeritageRow): NodeHandle {
  const { ev, file } = context;
  const receiver = file.facts.heritage.receiver[row] ?? NONE;
  if (receiver === NONE) return NO_NODE;
  const instance = ev.values.members(ev.typeOf(file, receiver)).find(value => ev.values.kindOf(value) === VALUE.instance);
  return instance === undefined ? NO_NODE : ev.values.node(instance);
}

function nameLength(file: FileState, expression: ExpressionRow): number {
  const { expressions } = file.facts;
  const text = expression < 0 ? '' : file.text(expressions.text[expression] ?? NO_TEXT);
  const inner = expression < 0 ? NONE : operandOf.inner(expressions, expression);
  const shown = text !== '' ? text : inner >= 0 && inner < expressions.count ? file.text(expressions.text[inner] ?? NO_TEXT) : '';
  return Math.max(1, shown.replace(/`\d+$/, '').length);
}

const NAMED_TYPES: ReadonlySet<number> = new Set([VALUE.instance, VALUE.class, VALUE.external, VALUE.builtin]);
const PARAMETER = BINDING_KINDS.indexOf('parameter');

/** `class extends Base` where `Base` is a parameter of the function around. */
function isParameter(ev: Evaluator, file: FileState, expression: ExpressionRow): boolean {
  const { expressions, bindings } = file.facts;
  if (expression < 0 || expressions.operator[expression] !== operatorCode.name || !file.isModular) return false;
  const found = ev.lookup(file, operandOf.scope(expressions, expression), file.name(expressions.text[expression] ?? NO_TEXT));
  return found !== NONE && bindings.kind[found] === PARAMETER;
}

function baseCandidates(context: SiteContext, expression: ExpressionRow): readonly Candidate[] {
  return baseCandidatesOf(context.ev, context.file, expression);
}

function baseCandidatesOf(ev: Evaluator, file: FileState, expression: ExpressionRow): readonly Candidate[] {
  const out: Candidate[] = [];
  const alias = aliasOf(ev, file, expression);
  const members = ev.values.members(baseTypes(ev, file, expression));
  if (alias !== undefined && !members.some(value => NAMED_TYPES.has(ev.values.kindOf(value))))
    return [candidate(alias.file.symbolNodes[alias.row] ?? NO_NODE, 'import')];
  const sure = isParameter(ev, file, expression) ? MAX_CONFIDENCE.anyOfType : confidenceOf('import');
  const known = members.filter(value => {
    const kind = ev.values.kindOf(value);
    return kind === VALUE.instance || kind === VALUE.class || kind === VALUE.function || kind === VALUE.namespace;
  });
  for (const value of known) {
    const node = ev.values.node(value);
    if (out.some(known => known.node === node)) continue;
    out.push({ node, confidence: sure / known.length, source: sourceCode.import });
  }
  if (out.length > 0) return out;
  for (const value of members) {
    if (ev.values.kindOf(value) !== VALUE.external || ev.values.name(value) === 0) continue;
    out.push({
      node: ev.project.externalNode(ev.project.names.text(ev.values.name(value))),
      confidence: confidenceOf('import') / members.length,
      source: sourceCode.import,
    });
  }
  return out;
}

const OVERRIDABLE: ReadonlySet<number> = new Set([symbolKindCode.method, symbolKindCode.property, symbolKindCode.field]);

/** A method points at the nearest declaration of its name in the bases of its class. */
function writeOverride(context: SiteContext, row: SymbolRow): void {
  const { ev, file, writer } = context;
  const { symbols } = file.facts;
  const parent = symbols.parent[row] ?? NONE;
  const isOutside = (symbols.receiver[row] ?? NONE) !== NONE;
  if ((parent === NONE && !isOutside) || !OVERRIDABLE.has(symbols.kind[row] ?? 0) || (!isOutside && !file.isContainer(parent))) return;
  const overrides = symbols.kind[row] === symbolKindCode.method || (symbols.kind[row] === symbolKindCode.property && file.rules.overridesProperties === true);
  // Static methods override nothing, but where they say so: functions without a receiver that a trait asks for.
  if (!overrides || ((symbols.modifiers[row] ?? 0) & (MODIFIERS.static | MODIFIERS.override)) === MODIFIERS.static) return;
  if (file.isModular && file.heritageOf(parent).length === 0) return;
  const name = file.name(symbols.name[row] ?? NO_TEXT);
  const text = ev.project.names.text(name);
  if (file.rules.neverOverrides?.has(text) === true) return;
  ev.inBody(ev.unitOfSymbol(file, row), () => {
    const owner = isOutside ? ownerOfSymbol(ev, file, row) : ev.canonical(file, parent);
    const [declared] = isOutside && file.rules.structural === true ? context.guesses.interfaceMembers(ev, owner, name) : [];
    if (declared !== undefined) {
      writer.add(relationCode.OVERRIDES, file.symbolNodes[row] ?? NO_NODE, symbols.nameLine[row] ?? 0, symbols.nameColumn[row] ?? 0, text.length, [
        candidate(declared.member, 'type'),
      ]);
      return;
    }
    for (const link of ev.hierarchy(owner).slice(1)) {
      const base = ev.project.ownerOf(link.node);
      if (base === undefined) continue;
      for (const { file: at, row: declaration } of declarationsAcross(ev, base, ev.project.rowOf(link.node))) {
        ev.consultMember(at, declaration, name);
        const hits = at.membersNamed(declaration, name).filter(hit => at !== file || hit !== row);
        const hit = file.rules.overloads === true && hits.length > 0 ? sameSignature(file, row, at, hits) : hits[0];
        if (hit === undefined) continue;
        writer.add(relationCode.OVERRIDES, file.symbolNodes[row] ?? NO_NODE, symbols.nameLine[row] ?? 0, symbols.nameColumn[row] ?? 0, text.length, [
          candidate(at.symbolNodes[hit] ?? NO_NODE, 'type'),
        ]);
        return;
      }
    }
  });
}

/** The overload with as many parameters, of those the one with the most types of the same name. */
function sameSignature(file: FileState, row: SymbolRow, at: FileState, hits: readonly SymbolRow[]): number | undefined {
  const own = parameterTypes(file, row);
  let best: number | undefined;
  let most = -1;
  for (const hit of hits) {
    const types = parameterTypes(at, hit);
    if (types.length !== own.length) continue;
    const alike = types.filter((type, index) => type === own[index]).length;
    if (alike > most) [best, most] = [hit, alike];
  }
  return best;
}

/** Last name of each parameter's type, -1 for none. */
function parameterTypes(file: FileState, row: SymbolRow): readonly NameNumber[] {
  const { symbols, functions, bindings, lists } = file.facts;
  const functionRow = symbols.function[row] ?? NONE;
  if (functionRow === NONE) return [];
  const start = functions.parameterStart[functionRow] ?? 0;
  return Array.from(lists.subarray(start, start + (functions.parameterCount[functionRow] ?? 0)), parameter => {
    const type = parameter === NONE ? NONE : (bindings.type[parameter] ?? NONE);
    return type === NONE ? NO_NAME : file.lastName(type);
  });
}
