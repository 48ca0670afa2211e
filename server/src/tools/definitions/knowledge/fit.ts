import type { AtomInContext, ContextAnswer, GetAnswer, MoleculeInContext, SearchAnswer } from '../../../features/knowledge/answers';
import { ENVELOPE_TOKENS, PAGE_TOKENS } from '../../shaping';
import type { Page } from '../../tool';

/**
 * Makes answers about knowledge fit their budget: who is asked always learns every match with its id, name and paths;
 * changelog, related entries and anchors that still hold go first; knowledge is held back whole, and a cursor gives it paragraph by paragraph.
 */
export interface Fitted {
  readonly data: Readonly<Record<string, unknown>>;
  readonly page?: Page;
  /** Atoms and molecules whose knowledge is held back. */
  readonly heldBack: number;
}

function lengthLimit(maxTokens: number): number {
  return Math.max(0, Math.min(maxTokens, PAGE_TOKENS) - ENVELOPE_TOKENS) * 4;
}

interface Text {
  readonly id: string;
  readonly knowledge: string;
}

interface Block {
  readonly id: string;
  readonly text: string;
}

function blocksOf({ id, knowledge }: Text): readonly Block[] {
  return knowledge === '' ? [] : knowledge.split(/\n{2,}/).map(text => ({ id, text }));
}

/** How much is said beside names and paths. */
interface Extent {
  readonly changelog: boolean;
  readonly related: boolean;
  readonly currentAnchors: boolean;
}

const EXTENTS: readonly Extent[] = [
  { changelog: true, related: true, currentAnchors: true },
  { changelog: false, related: true, currentAnchors: true },
  { changelog: false, related: false, currentAnchors: false },
];

/**
 * The ranks of a context are its atoms, then the paragraphs of all knowledge in it, in the order of the answer;
 * `offset` is the first rank that an earlier page has not given.
 */
export function fitContext(answer: ContextAnswer, maxTokens: number, offset: number): Fitted {
  const limit = lengthLimit(maxTokens);
  const atomCount = answer.molecules.reduce((sum, molecule) => sum + molecule.atoms.length, answer.orphanAtoms.length);
  const texts: readonly Text[] = [...answer.molecules.flatMap(molecule => [molecule, ...molecule.atoms]), ...answer.orphanAtoms];
  const blocks = texts.flatMap(blocksOf);
  const total = atomCount + blocks.length;
  if (offset >= atomCount && offset > 0) return knowledgePage(blocks.slice(offset - atomCount), offset, total);
  const whole = offset > 0 || lengthOf(texts) > limit ? undefined : EXTENTS.find(extent => sizeOf(contextData(answer, extent, () => true)) <= limit);
  if (whole !== undefined) return { data: contextData(answer, whole, () => true), heldBack: 0 };
  const listed = listedFrom(answer, offset, limit);
  const end = offset + listed.count;
  if (end < atomCount) return { data: listed.data, page: { key: 'knowledge', offset: end, total, count: 0 }, heldBack: texts.length };
  return withKnowledge(answer, texts, { listed: listed.data, limit, from: atomCount, total, isWhole: offset === 0 });
}

function knowledgePage(blocks: readonly Block[], offset: number, total: number): Fitted {
  return { data: { knowledge: blocks }, page: { key: 'knowledge', offset, total, count: blocks.length }, heldBack: 0 };
}

function contextData(answer: ContextAnswer, extent: Extent, hasKnowledge: (id: string) => boolean): Record<string, unknown> {
  const { molecules, orphanAtoms, unmatchedPaths } = answer;
  return {
    molecules: molecules.map(molecule => moleculeData(molecule, extent, hasKnowledge)),
    orphanAtoms: orphanAtoms.map(atom => atomData(atom, extent, hasKnowledge)),
    unmatchedPaths,
  };
}

function moleculeData({ atoms, ...molecule }: MoleculeInContext, extent: Extent, hasKnowledge: (id: string) => boolean): Record<string, unknown> {
  return { ...common(molecule, extent, hasKnowledge), atoms: atoms.map(atom => atomData(atom, extent, hasKnowledge)) };
}

function atomData(atom: AtomInContext, extent: Extent, hasKnowledge: (id: string) => boolean): Record<string, unknown> {
  return {
    ...common(atom, extent, hasKnowledge),
    matchedPaths: atom.matchedPaths,
    ...(extent.related ? { relatedAtoms: atom.relatedAtoms } : {}),
    ...(extent.changelog && atom.changelog !== undefined ? { changelog: atom.changelog } : {}),
  };
}

function common(
  { anchors, id, knowledge, name }: Pick<AtomInContext, 'id' | 'name' | 'knowledge' | 'anchors'>,
  extent: Extent,
  hasKnowledge: (id: string) => boolean,
): Record<string, unknown> {
  const { current, ...moved } = anchors ?? {};
  const shown = extent.currentAnchors && current !== undefined ? { current, ...moved } : moved;
  return {
    id,
    name,
    ...(hasKnowledge(id) || knowledge === '' ? { knowledge } : {}),
    ...(Object.keys(shown).length === 0 ? {} : { anchors: shown }),
  };
}

/** As many atoms from a rank on as there is room for, at least one, without their knowledge. */
function listedFrom(answer: ContextAnswer, offset: number, limit: number): { readonly data: Record<string, unknown>; readonly count: number } {
  const bare = EXTENTS[EXTENTS.length - 1] as Extent;
  let rank = 0;
  let used = 0;
  let count = 0;
  let isFull = false;
  const take = (atoms: readonly AtomInContext[], heading: number): AtomInContext[] => {
    const taken: AtomInContext[] = [];
    for (const atom of atoms) {
      if (rank++ < offset || isFull) continue;
      const size = sizeOf(atomData(atom, bare, () => false)) + 1 + (taken.length === 0 ? heading : 0);
      isFull = count > 0 && used + size > limit;
      if (isFull) continue;
      used += size;
      count++;
      taken.push(atom);
    }
    return taken;
  };
  const unmatchedPaths = offset > 0 ? [] : answer.unmatchedPaths;
  used += sizeOf({ molecules: [], orphanAtoms: [], unmatchedPaths });
  const molecules = answer.molecules.map(molecule => ({
    ...molecule,
    atoms: take(molecule.atoms, sizeOf(moleculeData({ ...molecule, atoms: [] }, bare, () => false))),
  }));
  const orphanAtoms = take(answer.orphanAtoms, 0);
  const listed: ContextAnswer = { ...answer, molecules: molecules.filter(molecule => molecule.atoms.length > 0), orphanAtoms, unmatchedPaths };
  return { data: contextData(listed, bare, () => false), count };
}

interface Listing {
  readonly listed: Readonly<Record<string, unknown>>;
  readonly limit: number;
  readonly from: number;
  readonly total: number;
  /** Everything is listed in this answer, so knowledge can stand with what it belongs to. */
  readonly isWhole: boolean;
}

/** Adds knowledge in order while there is room; the cursor goes on with the rest. */
function withKnowledge(answer: ContextAnswer, texts: readonly Text[], { listed, limit, from, total, isWhole }: Listing): Fitted {
  let room = limit - sizeOf(listed);
  let rank = from;
  const shown = new Set<string>();
  for (const text of isWhole ? texts : []) {
    room -= text.knowledge === '' ? 0 : sizeOf(text.knowledge) + KEY_LENGTH;
    if (room < 0) break;
    shown.add(text.id);
    rank += blocksOf(text).length;
  }
  const data = isWhole ? contextData(answer, EXTENTS[EXTENTS.length - 1] as Extent, id => shown.has(id)) : listed;
  const heldBack = texts.filter(text => text.knowledge !== '' && !shown.has(text.id)).length;
  return { data, page: { key: 'knowledge', offset: rank, total, count: 0 }, heldBack };
}

/** `,"knowledge":`. */
const KEY_LENGTH = 13;

/** One entity: its fields, and its knowledge when there is room. */
export function fitEntity(answer: GetAnswer, maxTokens: number, offset: number): Fitted {
  const limit = lengthLimit(maxTokens);
  const key = 'atom' in answer ? 'atom' : 'molecule';
  const gone = answer.deletedAt === undefined ? {} : { deletedAt: answer.deletedAt };
  const { knowledge, ...entity } = 'atom' in answer ? answer.atom : answer.molecule;
  const blocks = blocksOf({ id: entity.id, knowledge });
  if (offset > 0) return knowledgePage(blocks.slice(offset - 1), offset, blocks.length + 1);
  const { changelog: _changelog, ...unlogged } = entity;
  for (const fields of [entity, unlogged]) {
    const data = { [key]: { ...fields, knowledge }, ...gone };
    if (sizeOf(data) <= limit) return { data, heldBack: 0 };
  }
  const page: Page = { key: 'knowledge', offset: 1, total: blocks.length + 1, count: 0 };
  const shorter = [unlogged, withoutLists(unlogged)].find(fields => sizeOf({ [key]: fields }) <= limit) ?? withoutLists(unlogged);
  return { data: { [key]: knowledge === '' ? { ...shorter, knowledge } : shorter, ...gone }, page, heldBack: knowledge === '' ? 0 : 1 };
}

/** Part of the room that versions may take; the entity gets what they leave. */
const HISTORY_SHARE = 0.5;

/** Versions from a rank on, as many as there is room for, at least one; the first page also says what the entity is like, as far as that fits. */
export function fitHistory(answer: GetAnswer, maxTokens: number, { limit, offset }: { readonly limit: number; readonly offset: number }): Fitted {
  const { deletedAt, history: all = [] } = answer;
  const room = lengthLimit(maxTokens);
  const history: (typeof all)[number][] = [];
  let used = 0;
  for (const version of all.slice(offset, offset + limit)) {
    used += sizeOf(version) + 1;
    if (used > room * HISTORY_SHARE && history.length > 0) break;
    history.push(version);
  }
  const rows = { history, total: all.length, ...(deletedAt === undefined ? {} : { deletedAt }) };
  const page: Page = { key: 'history', offset, total: all.length, count: history.length };
  if (offset > 0) return { data: rows, page, heldBack: 0 };
  const entity = fitEntity(answer, Math.max(0, Math.min(maxTokens, PAGE_TOKENS) - Math.ceil(sizeOf(rows) / 4)), 0);
  return { data: { ...entity.data, ...rows }, page, heldBack: entity.heldBack };
}

/** Lists of other things, which can be asked for by themselves. */
function withoutLists(entity: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const long = new Set(['atoms', 'relatedAtoms', 'relatedMolecules', 'anchors']);
  return Object.fromEntries(Object.entries(entity).filter(([key]) => !long.has(key)));
}

/** Found entities with all their fields when there is room, else with what tells them apart. */
export function fitSearch({ items, total, limit, offset }: SearchAnswer, maxTokens: number): Fitted {
  const room = lengthLimit(maxTokens);
  const page: Page = { key: 'items', offset, total, count: items.length };
  const isShort = lengthOf(items) <= room && sizeOf(items) <= room;
  const shown = isShort ? items : items.map(briefly);
  return { data: { items: shown, total, limit, offset }, page, heldBack: isShort ? 0 : items.filter(item => item.knowledge !== '').length };
}

function briefly(item: SearchAnswer['items'][number]): Record<string, unknown> {
  const { id, name, version } = item;
  return { id, name, version, ...('paths' in item ? { moleculeId: item.moleculeId, paths: item.paths } : {}) };
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

function lengthOf(texts: readonly Pick<Text, 'knowledge'>[]): number {
  return texts.reduce((sum, text) => sum + text.knowledge.length, 0);
}
