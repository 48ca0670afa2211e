import { z } from 'zod';
import { compareText } from '../../base/text';
import type { GraphEdge, GraphNode, GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../model/evidence';
import { traitsOf } from '../../model/languages';
import { KIND_GROUPS } from '../../model/nodes';
import type { Relation } from '../../model/relations';
import { anyLinks, dependencyLinks } from '../shared/links';
import { holderOf, isPublic } from '../shared/members';
import { kindOf } from '../shared/rows';
import { kindShape, object, optional, relationShape, type Shaped, shape } from '../shared/shape';
import { inheritedMembers } from '../shared/target';
import { withoutDuplicateUses } from './duplicateUses';
import { type Changed, type NodeChange } from './nodeChanges';
import type { Pairing } from './pairing';
import { isCompatible, mayName, renamedParameters } from './signatures/signatures';
import { spelledOut } from './signatures/typeNames';
import { isWhole } from './signatures/wholeSignature';

export const brokenUseShape = shape(() =>
  object({
    id: z.string(),
    path: z.string(),
    /** 1-based, in the newer state; 0 when it is not known. */
    line: z.number(),
    relation: relationShape(),
    isTest: z.boolean(),
    /** The use may mean something else. */
    possible: optional(z.literal(true)),
  }),
);
export type BrokenUse = Shaped<typeof brokenUseShape>;

/** What others may use and that is gone or called otherwise now, with the code that still uses it and did not change. */
export const breakingShape = shape(() =>
  object({
    /** Of the older state. */
    id: z.string(),
    kind: kindShape(),
    reason: z.enum(['removed', 'renamed', 'moved', 'signature', 'hidden']),
    /** Of the newer state, where there is one. */
    nowId: optional(z.string()),
    oldSignature: optional(z.string()),
    signature: optional(z.string()),
    /** Tests last. */
    uses: z.array(brokenUseShape()),
    /** All uses; `uses` lists at most 50. */
    total: z.number(),
  }),
);
export type Breaking = Shaped<typeof breakingShape>;

const MAX_USES = 50;
const KINDS = dependencyLinks('all').kinds;

/** Text of a file of the older and the newer state; `undefined` where it cannot be read. */
export type ReadFiles = (path: string) => Promise<{ readonly before: string; readonly after: string } | undefined>;

/** Changes that break code outside of them, in the order of the changes. */
export async function breakingChanges(pairing: Pairing, changes: readonly Changed[], read: ReadFiles): Promise<Breaking[]> {
  const found: Breaking[] = [];
  const reported = new Set<string>();
  // Symbols first: a file that imports a removed file is listed by what it uses of it.
  const ordered = [...changes].sort((a, b) => Number(a.row.kind === 'file') - Number(b.row.kind === 'file'));
  for (const change of ordered) {
    const reason = await reasonOf({ pairing, read }, change);
    if (reason === undefined || change.old === undefined) continue;
    const all = await brokenUses({ pairing, read }, change.old, change.fresh, reason);
    const file = pairing.before.node(change.old).path;
    const uses = isUsable(pairing.before, change.old) ? all : all.filter(use => use.path !== change.row.path);
    const fresh = change.row.kind === 'file' ? uses.filter(use => !reported.has(`${file} ${use.path}`)) : uses;
    if (fresh.length === 0) continue;
    for (const use of uses) reported.add(`${file} ${use.path}`);
    found.push(breakingOf(pairing.before.node(change.old), change.row, reason, fresh));
  }
  return withoutDuplicateUses(pairing.before, found)
    .map(each => ({ ...each, uses: each.uses.slice(0, MAX_USES) }))
    .sort((a, b) => compareText(a.id, b.id));
}

type Reason = Breaking['reason'];

async function reasonOf({ pairing, read }: Sources, { fresh, old, row }: Changed): Promise<Reason | undefined> {
  const { after, before } = pairing;
  if (old === undefined || !(isUsable(before, old) || isInLiteral(before, old))) return undefined;
  if (fresh === undefined) return isInherited(pairing, old) ? undefined : 'removed';
  if (row.change === 'renamed' || row.change === 'moved') return isInherited(pairing, old) ? undefined : row.change;
  const [was, is] = [before.node(old), after.node(fresh)];
  const areWhole = isWhole(was) && isWhole(is);
  // What is cut off from a signature is told as a change of the body.
  if (row.change !== 'signature' && (row.change !== 'body' || areWhole)) return undefined;
  if (was.isExported && !is.isExported) return 'hidden';
  const inherited = (): ReadonlySet<string> => namesAbove(after, fresh);
  if (areWhole && isCompatible(was, is, inherited)) return undefined;
  const texts = areWhole ? undefined : await read(was.path);
  const means = (view: GraphView, node: NodeHandle, text: string | undefined): GraphNode => ({ ...view.node(node), signature: spelledOut(view, node, text) });
  return isCompatible(means(before, old, texts?.before), means(after, fresh, texts?.after), inherited) ? undefined : 'signature';
}

/** Names of all types that a type inherits from or implements. */
function namesAbove(view: GraphView, type: NodeHandle): ReadonlySet<string> {
  const seen = new Set([type]);
  for (const each of seen) for (const { relation, target } of view.out(each)) if (relation === 'INHERITS' || relation === 'IMPLEMENTS') seen.add(target);
  seen.delete(type);
  return new Set([...seen].map(each => lastName(view.node(each).name)));
}

function lastName(name: string): string {
  return /\w+$/.exec(name)?.[0] ?? name;
}

/** Whether a type inherits, in place of a member that it had, one of that name which users can use as before. */
function isInherited({ after, before, successors }: Pairing, old: NodeHandle): boolean {
  const was = before.node(old);
  const holder = before.parentOf(old);
  const holderNow = holder === undefined ? undefined : successors.get(holder);
  if (holderNow === undefined || !isWhole(was)) return false;
  return inheritedMembers(after, [holderNow], was.name)
    .map(other => after.node(other))
    .some(is => isWhole(is) && isCompatible(was, is));
}

/** What a test declares is used by nobody but tests. */
function isUsable(view: GraphView, node: NodeHandle): boolean {
  const { isExported, kind, language } = view.node(node);
  if (kind === 'field' && !isExported && traitsOf(language).signatures?.hidesFields === true && isOfStruct(view, node)) return false;
  return !view.isTest(node) && (isPublic(view, node) || isCalledByLanguage(view, node));
}

/** Fields of the cases of an enumeration are as public as it is. */
function isOfStruct(view: GraphView, node: NodeHandle): boolean {
  const holder = holderOf(view, node);
  return holder !== undefined && view.node(holder).kind === 'struct';
}

const VALUES: ReadonlySet<string> = new Set(['constant', 'variable', 'property', 'field']);

/** A member of an object literal: whoever gets the object may use it, and only uses in other files show that somebody does. */
function isInLiteral(view: GraphView, node: NodeHandle): boolean {
  if (view.isTest(node)) return false;
  const holder = holderOf(view, node);
  if (holder === undefined) return false;
  // Of a literal without a name (`module.exports = { … }`) the file holds the members.
  return holder === view.fileNodeOf(node) ? view.node(node).kind === 'method' : VALUES.has(view.node(holder).kind ?? '');
}

/** Constructors and methods with a name that Python has for them (`__call__`) are used by everybody who may use their class, whatever their names begin with. */
function isCalledByLanguage(view: GraphView, node: NodeHandle): boolean {
  const { kind, modifiers, name } = view.node(node);
  const holder = holderOf(view, node);
  return (kind === 'constructor' || /^__\w+__$/.test(name)) && holder !== undefined && !modifiers.includes('private') && isPublic(view, holder);
}

/** A property of an unknown object may be one of several of that name: that is no sign that anything breaks. Names of what is called say more. */
function isGuessedRead({ confidence, relation }: GraphEdge): boolean {
  return confidence < MIN_READ_CONFIDENCE && (relation === 'READS_FROM' || relation === 'ASSIGNS_TO');
}

const MIN_READ_CONFIDENCE = 0.25;

/** A file that names its own function outside of functions hands it on (`module.exports = run`, `export { run }`), whatever its parameters are. */
function isExport(view: GraphView, { relation, source }: GraphEdge, used: NodeHandle): boolean {
  return (relation === 'READS_FROM' || relation === 'NAMES') && view.fileNodeOf(used) === source;
}

interface Sources {
  readonly pairing: Pairing;
  readonly read: ReadFiles;
}

/** A row for each line that uses it. What a test calls it also tests: that is one use. */
async function brokenUses(sources: Sources, old: NodeHandle, fresh: NodeHandle | undefined, reason: Reason): Promise<BrokenUse[]> {
  const { after, before, successors } = sources.pairing;
  const uses = new Map<string, BrokenUse>();
  const renamed = fresh === undefined ? [] : renamedParameters(before.node(old), after.node(fresh));
  const isNoticed = async (place: Place): Promise<boolean> => renamed.length === 0 || givesOne(sources, place, renamed);
  for (const { edge, user: userThen } of usesOf(before, old)) {
    const user = successors.get(userThen);
    if (user === undefined || userThen === old || isGuessedRead(edge)) continue;
    if (reason === 'signature' ? isExport(before, edge, old) : isFreed(after.node(user), edge, fresh)) continue;
    const now = usedBy(after, user).filter(other => other.edge.relation === edge.relation);
    const still = fresh === undefined ? undefined : now.find(other => other.used === fresh)?.edge;
    const { id, isTest, path } = after.node(user);
    for (const line of await linesNow(sources, { edge, was: userThen, is: user })) {
      const isSame = line === 0 || still?.lines.includes(line) === true;
      const isBroken =
        reason === 'signature'
          ? isSame && still !== undefined && (await isNoticed({ path, line }))
          : still === undefined && !now.some(other => isInstead(sources.pairing, { edge, old, other, line }));
      const key = `${id} ${line}`;
      if (!isBroken || (uses.has(key) && edge.relation === 'TESTS')) continue;
      const possible = edge.confidence < FACT_CONFIDENCE ? { possible: true as const } : {};
      uses.set(key, { id, path, line: line === 0 ? (still?.lines[0] ?? 0) : line, relation: edge.relation, isTest, ...possible });
    }
  }
  return [...uses.values()].sort((a, b) => Number(a.isTest) - Number(b.isTest) || compareText(a.path, b.path) || a.line - b.line || compareText(a.id, b.id));
}

/** A line of the newer state, 1-based; 0 where it is not known. */
interface Place {
  readonly path: string;
  readonly line: number;
}

/** Whether what stands there gives a parameter by its name; true where that cannot be told. */
async function givesOne({ pairing, read }: Sources, { line, path }: Place, renamed: readonly string[]): Promise<boolean> {
  const { after, before, predecessors } = pairing;
  const file = after.fileOf(path);
  const was = file === undefined ? undefined : predecessors.get(file);
  const texts = was === undefined || line === 0 ? undefined : await read(before.idOf(was));
  if (file === undefined || texts === undefined) return true;
  return mayName(callAt(texts.after.split('\n'), line - 1), renamed, after.node(file).language);
}

/** A method that need not override anything: it stays what it is when the one that it overrode goes. */
function isFreed({ language, signature }: GraphNode, { relation }: GraphEdge, fresh: NodeHandle | undefined): boolean {
  return fresh === undefined && relation === 'OVERRIDES' && traitsOf(language).signatures?.overridesFreely === true && !/\boverride\b/.test(signature);
}

interface Dependence {
  readonly edge: GraphEdge;
  readonly user: NodeHandle;
  readonly used: NodeHandle;
}

/** A decorator does not use what it decorates: that is the other way round. */
const DECORATED: Relation = 'DECORATES';

/** Names in a list: of what the file itself declares, the list cannot be read any more when it is gone. */
const LISTED = anyLinks(['NAMES']).kinds;

function usesOf(view: GraphView, used: NodeHandle): readonly Dependence[] {
  const listed = view.in(used, undefined, LISTED).filter(({ source }) => source === view.fileNodeOf(used));
  const direct = [...view.in(used, undefined, KINDS).filter(({ relation }) => relation !== DECORATED), ...listed];
  const decorated = view.out(used, undefined, KINDS).filter(({ relation }) => relation === DECORATED);
  return [...direct.map(edge => ({ edge, user: edge.source, used })), ...decorated.map(edge => ({ edge, user: edge.target, used }))];
}

function usedBy(view: GraphView, user: NodeHandle): readonly Dependence[] {
  const listed = view.out(user, undefined, LISTED).filter(({ target }) => user === view.fileNodeOf(target));
  const direct = [...view.out(user, undefined, KINDS).filter(({ relation }) => relation !== DECORATED), ...listed];
  const decorators = view.in(user, undefined, KINDS).filter(({ relation }) => relation === DECORATED);
  return [...direct.map(edge => ({ edge, user, used: edge.target })), ...decorators.map(edge => ({ edge, user, used: edge.source }))];
}

interface Use {
  readonly edge: GraphEdge;
  /** Who uses it, in the older and the newer state. */
  readonly was: NodeHandle;
  readonly is: NodeHandle;
}

/** The lines of a use that did not change, in the newer state; 0 where it has none. */
async function linesNow({ pairing, read }: Sources, { edge, ...user }: Use): Promise<readonly number[]> {
  const [was, is] = [pairing.before.node(user.was), pairing.after.node(user.is)];
  const lines = edge.lines.length === 0 ? [0] : edge.lines;
  const isSame = was.contentHash === is.contentHash;
  const moved = (): readonly number[] => lines.map(line => (was.nodeType === 'symbol' && line > 0 ? line + is.startLine - was.startLine : line));
  if (isSame && !holdsMembers(pairing.before, user.was)) return moved();
  // A container's hash does not speak of what its members do and of their decorators, nor a file's of its lines: the lines themselves are looked for.
  const texts = edge.lines.length === 0 ? undefined : await read(was.path);
  if (texts === undefined) return isSame ? moved() : [];
  const [then, now] = [linesOf(texts.before, was), linesOf(texts.after, is)];
  return edge.lines.flatMap(line => sameLine(line, then, now, CALLS.has(edge.relation)) ?? []);
}

const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);

function holdsMembers(view: GraphView, node: NodeHandle): boolean {
  return !FUNCTIONS.has(view.node(node).kind ?? '') && view.childrenOf(node).length > 0;
}

interface Lines {
  /** 1-based number of the first. */
  readonly start: number;
  readonly texts: readonly string[];
}

/** Lines of a symbol, without indentation, or of the whole file. */
function linesOf(text: string, { endLine, nodeType, startLine }: GraphNode): Lines {
  const texts = text.split('\n').map(line => line.trim());
  return nodeType === 'symbol' ? { start: startLine, texts: texts.slice(startLine - 1, endLine) } : { start: 1, texts };
}

const CALLS: ReadonlySet<Relation> = new Set<Relation>(['CALLS', 'INSTANTIATES', 'TESTS', 'USES_DEFAULT']);

/** Where a line is now: of several that read the same, the one with as many before it. A call goes on to its last parenthesis, and changes with each of its lines. */
function sameLine(line: number, then: Lines, now: Lines, isCall: boolean): number | undefined {
  const wanted = then.texts[line - then.start];
  if (wanted === undefined || wanted === '') return undefined;
  let before = then.texts.slice(0, line - then.start).filter(text => text === wanted).length;
  const at = now.texts.findIndex(text => text === wanted && before-- === 0);
  if (at < 0 || (isCall && callAt(then.texts, line - then.start) !== callAt(now.texts, at))) return undefined;
  return now.start + at;
}

/** Lines that a call may take. */
const MAX_CALL_LINES = 60;

/** The lines from one on until what it opens is closed. */
function callAt(texts: readonly string[], at: number): string {
  let text = '';
  for (const line of texts.slice(at, at + MAX_CALL_LINES)) {
    text += `${line}\n`;
    if (isClosed(text)) return text;
  }
  return text;
}

function isClosed(text: string): boolean {
  const signs = text.replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, '').match(/[()]/g) ?? [];
  return signs.reduce((depth, sign) => depth + (sign === '(' ? 1 : -1), 0) <= 0;
}

interface OtherUse {
  readonly edge: GraphEdge;
  readonly old: NodeHandle;
  readonly other: Dependence;
  readonly line: number;
}

/** The same use leads to something else of that name now: it was moved and is passed on from where it was. */
function isInstead({ after, before }: Pairing, { edge, line, old, other }: OtherUse): boolean {
  return other.edge.lines.includes(line) && (edge.relation === 'IMPORTS' || after.node(other.used).name === before.node(old).name);
}

function breakingOf(was: GraphNode, row: NodeChange, reason: Reason, uses: readonly BrokenUse[]): Breaking {
  return {
    id: was.id,
    kind: kindOf(was),
    reason,
    ...(row.change === 'removed' || row.id === was.id ? {} : { nowId: row.id }),
    ...(row.oldSignature === undefined ? {} : { oldSignature: row.oldSignature }),
    ...(row.signature === undefined ? {} : { signature: row.signature }),
    uses: [...uses],
    total: uses.length,
  };
}
