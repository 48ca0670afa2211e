import type { Steps } from '../../base/steps';
import { NO_NODE } from '../../model/ids';
import { KIND_GROUPS } from '../../model/nodes';
import type { GraphView, NodeHandle } from './graphView';

interface Group {
  readonly id: number;
  readonly members: readonly NodeHandle[];
}

/** Segments that say nothing about what is in them. */
const EMPTY_SEGMENTS: ReadonlySet<string> = new Set(['src', 'lib', 'dist', 'build', 'node_modules', '.', '']);
/** Last segments of a folder that are shown. */
const SHOWN_SEGMENTS = 2;
const MEMBERS_PER_STEP = 2048;
const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);
const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);

/**
 * A name for each community, no two alike: the deepest folder that holds most of its files, and its most central type of its own
 * (without one its most central function, else its most central file). Neither a test nor a library names one: what has nothing else is called after its folder, or *external libraries*.
 * The first of several that would be called alike is called so; the others say more.
 */
export function* communityNames(view: GraphView, groups: readonly Group[], strengths: Float64Array): Steps<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  const taken = new Set<string>();
  let done = 0;
  for (const { id, members } of groups) {
    const name = candidates(view, members, strengths).find(candidate => !taken.has(candidate)) ?? numbered(id, view, members, strengths);
    taken.add(name);
    names.set(id, name);
    done += members.length;
    if (done < MEMBERS_PER_STEP) continue;
    done = 0;
    yield;
  }
  return names;
}

function numbered(id: number, view: GraphView, members: readonly NodeHandle[], strengths: Float64Array): string {
  return `${candidates(view, members, strengths)[0] ?? ''} #${id}`;
}

/** Shorter ones first. */
function candidates(view: GraphView, all: readonly NodeHandle[], strengths: Float64Array): string[] {
  const own = all.filter(node => view.fileNodeOf(node) !== undefined);
  if (own.length === 0) return ['external libraries'];
  const members = own.filter(node => !view.isTest(node));
  if (members.length === 0) return [`tests in ${folderOf(view, own) || 'the root folder'}`, `tests in ${view.node(own[0] ?? NO_NODE).path}`];
  const folder = folderOf(view, members);
  const [first = '', second] = namesOf(view, members, strengths);
  const shown = folder
    .split('/')
    .filter(segment => !EMPTY_SEGMENTS.has(segment))
    .slice(-SHOWN_SEGMENTS)
    .join('/');
  const joined = (place: string, name: string): string => (place === '' ? name : `${place} · ${name}`);
  return [joined(shown, first), ...(second === undefined ? [] : [joined(shown, `${first}, ${second}`)]), joined(folder, first)];
}

/** The deepest folder that more than half of the members are in; `''` for the root. */
function folderOf(view: GraphView, members: readonly NodeHandle[]): string {
  const perFile = new Map<NodeHandle, number>();
  for (const node of members) {
    const file = view.fileNodeOf(node);
    if (file !== undefined) perFile.set(file, (perFile.get(file) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [file, count] of perFile) {
    const path = view.idOf(file);
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      counts.set(folder, (counts.get(folder) ?? 0) + count);
    }
  }
  let deepest = '';
  for (const [folder, count] of counts) if (count * 2 > members.length && folder.length > deepest.length) deepest = folder;
  return deepest;
}

/** Most central first: types, else functions, else files. */
function namesOf(view: GraphView, members: readonly NodeHandle[], strengths: Float64Array): string[] {
  const ofKind = (kinds: ReadonlySet<string>): readonly NodeHandle[] => members.filter(node => kinds.has(view.kindOf(node)));
  const types = ofKind(CLASSES);
  const functions = types.length > 0 ? types : ofKind(FUNCTIONS);
  const named = functions.length > 0 ? functions : members;
  const best: NodeHandle[] = [];
  for (const node of named) {
    const at = best.findIndex(other => (strengths[node] ?? 0) > (strengths[other] ?? 0));
    if (at >= 0) best.splice(at, 0, node);
    else if (best.length < 2) best.push(node);
    if (best.length > 2) best.pop();
  }
  return best.map(node => view.node(node).name);
}
