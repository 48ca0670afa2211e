import { z } from 'zod';
import { basename, dirname } from '../../base/path';
import { eachInSteps, type Steps } from '../../base/steps';
import { compareText } from '../../base/text';
import type { GraphView, HalfAdjacency, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE } from '../../model/ids';
import { RELATIONS, type Relation } from '../../model/relations';
import { marksPackage } from '../../model/toolchains';
import { packageOf as packageOfTarget } from '../architecture/codeMap';
import { dependencyLinks } from '../shared/links';
import { object, optional, relationShape, type Shaped, shape } from '../shared/shape';
import type { Pairing, Partners } from './pairing';

/** A dependency between symbols or files that came or went. */
export const linkChangeShape = shape(() =>
  object({
    source: z.string(),
    relation: relationShape(),
    target: z.string(),
    /** Confidence of at least 0.8. */
    certain: z.boolean(),
  }),
);
export type LinkChange = Shaped<typeof linkChangeShape>;

export const LEVELS = ['file', 'folder', 'package', 'service', 'external'] as const;

/** A dependency between larger units that came, where there was none, or went, where none is left. */
export const unitChangeShape = shape(() => object({ level: z.enum(LEVELS), change: z.enum(['added', 'removed']), from: z.string(), to: z.string() }));
export type UnitChange = Shaped<typeof unitChangeShape>;

export const INTERFACES = ['endpoint', 'event', 'domain_entity'] as const;

/** Something that a service offers or shares and that came or went, whoever uses it. */
export const interfaceChangeShape = shape(() =>
  object({
    change: z.enum(['added', 'removed']),
    kind: z.enum(INTERFACES),
    /** Of the node, in the newer state for what was added, in the older one for what was removed. */
    id: z.string(),
    /** Method and path of an endpoint; name of an event or entity. */
    name: z.string(),
    /** Who answers, publishes, consumes or owns it; `''` where no service of the workspace does. */
    service: z.string(),
    /** Of an event, what the service does with it. */
    role: optional(z.enum(['publishes', 'consumes'])),
    /** Of its handler, else of its declaration; `''` where neither is known. */
    path: z.string(),
    /** 1-based, 0 for all of the file. */
    line: z.number(),
  }),
);
export type InterfaceChange = Shaped<typeof interfaceChangeShape>;

export interface LinkChanges {
  readonly added: readonly LinkChange[];
  readonly removed: readonly LinkChange[];
  readonly units: readonly UnitChange[];
}

const KINDS = dependencyLinks('all').kinds;
const CERTAIN = encodeConfidence(FACT_CONFIDENCE);
/** Relation codes are below this. */
const RELATION_ROOM = 256;

/** Dependencies that differ. What was renamed or moved is the same node, so that a move alone changes none of them. */
export function* linkChanges(pairing: Pairing): Steps<LinkChanges> {
  const { after, before, own, predecessors, successors } = pairing;
  const removed: RawLink[] = [];
  const added: RawLink[] = [];
  yield* eachInSteps(withUsers(before, own.before, successors), node => lacking(before, node, successors, after, removed));
  yield* eachInSteps(withUsers(after, own.after, predecessors), node => lacking(after, node, predecessors, before, added));
  const units = [...unitChanges(pairing, after, before, added, 'added'), ...unitChanges(pairing, before, after, removed, 'removed')];
  return { added: rowsOf(after, added), removed: rowsOf(before, removed), units: units.sort(byUnit) };
}

/** Nodes with those of which a link ends at one of them that is another node in the other view, or is gone there. */
function withUsers({ adjacency: { backward, live } }: GraphView, nodes: readonly NodeHandle[], partners: Partners): ReadonlySet<NodeHandle> {
  const all = new Set(nodes);
  for (const node of nodes) {
    if (partners.get(node) === node) continue;
    const end = backward.ends[node] ?? 0;
    for (let link = backward.starts[node] ?? 0; link < end; link++) {
      const user = backward.targets[link] ?? NO_NODE;
      if (live[user] === 1) all.add(user);
    }
  }
  return all;
}

interface RawLink {
  readonly source: NodeHandle;
  readonly target: NodeHandle;
  readonly relation: number;
  readonly confidence: number;
}

/** Links of a node that its partner in the other view does not have. */
function lacking(view: GraphView, node: NodeHandle, partners: Partners, other: GraphView, found: RawLink[]): void {
  const partner = partners.get(node);
  if (partner !== undefined && haveSameLinks(view, node, other, partner, partners)) return;
  const own = linksOf(view, node);
  if (own.length === 0) return;
  const there = new Set<number>();
  if (partner !== undefined) for (const { relation, target } of linksOf(other, partner)) there.add(target * RELATION_ROOM + relation);
  for (const link of own) {
    const target = partners.get(link.target);
    if (target === undefined || !there.has(target * RELATION_ROOM + link.relation)) found.push(link);
  }
}

/** True where two nodes have the same links in the same order, as nearly all have: then nothing needs to be looked up. */
function haveSameLinks(view: GraphView, node: NodeHandle, other: GraphView, partner: NodeHandle, partners: Partners): boolean {
  const [own, theirs] = [view.adjacency, other.adjacency];
  const start = own.forward.starts[node] ?? 0;
  const length = (own.forward.ends[node] ?? 0) - start;
  const shift = (theirs.forward.starts[partner] ?? 0) - start;
  if (length !== (theirs.forward.ends[partner] ?? 0) - start - shift) return false;
  for (let at = start; at < start + length; at++) {
    if (own.forward.relations[at] !== theirs.forward.relations[at + shift]) return false;
    const [target, match] = [own.forward.targets[at] ?? NO_NODE, theirs.forward.targets[at + shift] ?? NO_NODE];
    if (own.live[target] !== theirs.live[match] || partners.get(target) !== match) return false;
  }
  return true;
}

function linksOf({ adjacency: { forward, live } }: GraphView, source: NodeHandle): RawLink[] {
  const links: RawLink[] = [];
  const { confidences, ends, relations, starts, targets }: HalfAdjacency = forward;
  const end = ends[source] ?? 0;
  for (let at = starts[source] ?? 0; at < end; at++) {
    const target = targets[at] ?? NO_NODE;
    const relation = relations[at] ?? 0;
    if (KINDS[relation] === 1 && live[target] === 1) links.push({ source, target, relation, confidence: confidences[at] ?? 0 });
  }
  return links;
}

function rowsOf(view: GraphView, links: readonly RawLink[]): LinkChange[] {
  return links
    .map(({ confidence, relation, source, target }) => ({
      source: view.idOf(source),
      relation: (RELATIONS[relation]?.name ?? 'CALLS') as Relation,
      target: view.idOf(target),
      certain: confidence >= CERTAIN,
    }))
    .sort((a, b) => compareText(a.source, b.source) || compareText(a.relation, b.relation) || compareText(a.target, b.target));
}

/** Pairs of files, folders and packages, and packages from outside, that a change of links joins or parts. */
function unitChanges(
  { predecessors, successors }: Pairing,
  view: GraphView,
  other: GraphView,
  links: readonly RawLink[],
  change: UnitChange['change'],
): UnitChange[] {
  const partners = change === 'added' ? predecessors : successors;
  const own = pairsOfFiles(view, links);
  if (own.size === 0) return [];
  const files = new Set([...own.values()].map(pair => pair.from));
  const packages = { own: packagesOf(view), other: packagesOf(other) };
  const otherPairs = pairsOfFiles(other, linksOfFiles(other, new Set([...files].flatMap(file => partners.get(file) ?? []))));
  const missing = [...own.values()].flatMap(pair => {
    const [from, to] = [partners.get(pair.from), partners.get(pair.to)];
    const isKept = from !== undefined && to !== undefined && otherPairs.has(`${from} ${to}`);
    return isKept ? [] : [...fine(view, pair), ...coarse(view, pair, packages.own)];
  });
  const isElsewhere = joinedIn(other, packages.other, missing);
  return [...new Map(missing.flatMap(unit => (isElsewhere(unit) ? [] : [[JSON.stringify(unit), { ...unit, change }]]))).values()];
}

type Unit = Omit<UnitChange, 'change'>;

/** Whether some link of a view joins the same two folders or packages, or leads from the same file out of the workspace to the same package. */
function joinedIn(view: GraphView, packageOf: (path: string) => string, units: readonly Unit[]): (unit: Unit) => boolean {
  const asked = new Map<string, Set<string>>();
  const joined = new Set<string>();
  const startOf = (level: Unit['level'], from: string): string => `${level} ${from}`;
  for (const { from, level, to } of units) if (level !== 'file') asked.set(startOf(level, from), (asked.get(startOf(level, from)) ?? new Set()).add(to));
  for (const file of view.files()) {
    const path = view.idOf(file);
    const starts = [startOf('external', path), startOf('folder', dirname(path) || '.'), startOf('package', packageOf(path) || '.')];
    if (!starts.some(start => asked.has(start))) continue;
    const targets = new Set<NodeHandle>();
    for (const { target } of linksOfFiles(view, [file])) targets.add(view.fileNodeOf(target) ?? target);
    for (const to of targets)
      for (const unit of coarse(view, { from: file, to }, packageOf))
        if (asked.get(startOf(unit.level, unit.from))?.has(unit.to) === true) joined.add(JSON.stringify(unit));
  }
  return unit => joined.has(JSON.stringify(unit));
}

interface FilePair {
  readonly from: NodeHandle;
  /** A file, or an external target. */
  readonly to: NodeHandle;
}

function pairsOfFiles(view: GraphView, links: Iterable<RawLink>): ReadonlyMap<string, FilePair> {
  const pairs = new Map<string, FilePair>();
  for (const { source, target } of links) {
    const from = view.fileNodeOf(source);
    const to = view.fileNodeOf(target) ?? target;
    if (from !== undefined && from !== to) pairs.set(`${from} ${to}`, { from, to });
  }
  return pairs;
}

function* linksOfFiles(view: GraphView, files: Iterable<NodeHandle>): Iterable<RawLink> {
  for (const file of files) {
    yield* linksOf(view, file);
    for (const symbol of view.symbolsOf(file)) yield* linksOf(view, symbol);
  }
}

/** The pair as files; none where the other end is outside of the workspace. */
function fine(view: GraphView, { from, to }: FilePair): Unit[] {
  return view.fileNodeOf(to) === undefined ? [] : [{ level: 'file', from: view.idOf(from), to: view.idOf(to) }];
}

/** The pair as folders and as packages, where these differ. */
function coarse(view: GraphView, { from, to }: FilePair, packageOf: (path: string) => string): Unit[] {
  const [source, target] = [view.idOf(from), view.idOf(to)];
  if (view.fileNodeOf(to) === undefined) return [{ level: 'external', from: source, to: packageOfTarget(target) }];
  const units: Unit[] = [];
  if (dirname(source) !== dirname(target)) units.push({ level: 'folder', from: dirname(source) || '.', to: dirname(target) || '.' });
  if (packageOf(source) !== packageOf(target)) units.push({ level: 'package', from: packageOf(source) || '.', to: packageOf(target) || '.' });
  return units;
}

/** The nearest folder above a path that has a manifest; `''` for the workspace. */
function packagesOf(view: GraphView): (path: string) => string {
  const folders = new Set(
    [...view.files()]
      .map(file => view.idOf(file))
      .filter(path => marksPackage(basename(path)))
      .map(path => dirname(path)),
  );
  const known = new Map<string, string>();
  return path => {
    const folder = dirname(path);
    let found = known.get(folder);
    if (found === undefined) {
      found = folder;
      while (found !== '' && !folders.has(found)) found = dirname(found);
      known.set(folder, found);
    }
    return found;
  };
}

export function byUnit(a: UnitChange, b: UnitChange): number {
  return LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || compareText(a.change, b.change) || compareText(a.from, b.from) || compareText(a.to, b.to);
}
