/** What is mixed into types (traits, modules) from the other side: the types that mix it in. */
import { NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../../model/ids';
import type { NameNumber } from '../../numbers';
import { NOTHING, SELF, type ValueSet } from '../../values';
import type { Evaluator, MemberHit } from '../evaluator';
import { baseTypes } from '../hierarchy';
import { findMember, memberValues } from '../members';

/** Types that are looked at, of those that mix one thing in. */
const MAX_MIXERS = 6;

/** How the member of a mixer is meant. */
interface Sought {
  /** That of the type itself, not of its instances. */
  readonly isStatic?: boolean;
  /** What comes behind the trait or module (`super`). */
  readonly isAfter?: boolean;
}

/** What `name` is for an object whose method a trait or module (`node`) holds: the member of the types that mix it in. */
export function memberOfMixers(ev: Evaluator, node: NodeHandle, name: NameNumber, { isStatic = false, isAfter = false }: Sought = {}): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  const seen = new Set<NodeHandle>();
  for (const mixer of mixersOf(ev, node)) {
    const skip = isAfter ? ev.hierarchy(mixer).findIndex(link => link.node === node) + 1 : 0;
    const hits = findMember(ev, mixer, name, skip).filter(hit => !seen.has(hit.file.symbolNodes[hit.row] ?? NO_NODE));
    if (hits.length === 0) continue;
    for (const hit of hits) seen.add(nodeOf(hit));
    answer = values.union(answer, memberValues(ev, hits, isStatic ? values.classOf(mixer, SELF) : values.instance(mixer, SELF)));
  }
  return answer;
}

function nodeOf(hit: MemberHit): NodeHandle {
  return hit.file.symbolNodes[hit.row] ?? NO_NODE;
}

/** Nodes of the types that mix in the trait or module. */
function mixersOf(ev: Evaluator, node: NodeHandle): readonly NodeHandle[] {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return [];
  const name = file.name(file.facts.symbols.name[ev.project.rowOf(node)] ?? NO_TEXT);
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const found: NodeHandle[] = [];
  for (const { file: at, row } of ev.packages.mixers(name)) {
    const { heritage } = at.facts;
    const symbol = heritage.symbol[row] ?? NONE;
    if (symbol === NONE || found.length >= MAX_MIXERS) continue;
    const isIt = ev.values.members(baseTypes(ev, at, heritage.expression[row] ?? NONE)).some(value => ev.values.isOf(value, node));
    const mixer = ev.canonical(at, symbol);
    if (isIt && !found.includes(mixer)) found.push(mixer);
  }
  return found;
}
