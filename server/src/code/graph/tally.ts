import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE } from '../../model/ids';
import { SYMBOL_KINDS, type SymbolKind } from '../../model/nodes';
import { RELATIONS } from '../../model/relations';
import { endIn, isRefused, otherEnd, ownerOf } from './aggregate';
import { type FileEntry, symbolCell, symbolRow } from './fileEntry';
import type { GraphState } from './graphState';
import type { GraphTally, LanguageTally, RelationTally } from './graphView';

/** Counts everything once, over the columns alone. */
export function tallyOf(state: GraphState): GraphTally {
  const kinds = SYMBOL_KINDS.map(() => 0);
  const languages = new Map<string, Mutable>();
  for (const entry of state.entries) {
    if (entry === undefined) continue;
    for (let row = 0; row < entry.nodes.length; row++) {
      const kind = symbolCell(entry, symbolRow(row), 'kind');
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    addFile(languages, entry);
  }
  const symbolsByKind: Partial<Record<SymbolKind, number>> = {};
  SYMBOL_KINDS.forEach((kind, code) => {
    const count = kinds[code] ?? 0;
    if (count > 0) symbolsByKind[kind] = count;
  });
  return {
    refused: refusedOf(state),
    externals: externalsOf(state),
    symbolsByKind,
    languages: [...languages.values()].sort((a, b) => (a.language < b.language ? -1 : 1)),
    relations: relationsOf(state),
  };
}

type Mutable = { -readonly [Key in keyof Omit<LanguageTally, 'sites'>]: LanguageTally[Key] } & {
  readonly sites: { unresolved: number; external: number; resolved: number };
};

function addFile(languages: Map<string, Mutable>, entry: FileEntry): void {
  const language = entry.record.language ?? 'other';
  let row = languages.get(language);
  if (row === undefined) {
    row = { language, files: 0, symbols: 0, sites: { unresolved: 0, external: 0, resolved: 0 } };
    languages.set(language, row);
  }
  row.files++;
  row.symbols += entry.nodes.length;
  for (const count of entry.unresolved) row.sites.unresolved += count;
  for (const count of entry.external) row.sites.external += count;
  for (let site = 0; site < entry.sites.count; site++) if ((entry.sites.candidateCount[site] ?? 0) > 0) row.sites.resolved++;
}

function externalsOf(state: GraphState): number {
  let count = 0;
  for (let node = 0; node < state.size; node++) if (state.live[node] === 1 && (state.slotOf[node] ?? -1) < 0) count++;
  return count;
}

/** References that make no edge, because their relation may not join such ends. */
function refusedOf(state: GraphState): number {
  const endOf = endIn(state, state.interner);
  let count = 0;
  for (const entry of state.entries) {
    if (entry === undefined) continue;
    const { sites } = entry;
    for (let site = 0; site < sites.count; site++) {
      const own = endOf(ownerOf(sites, site));
      const first = sites.candidateStart[site] ?? 0;
      for (let candidate = first; candidate < first + (sites.candidateCount[site] ?? 0); candidate++)
        if (isRefused(sites.relation[site] ?? 0, own, endOf(otherEnd(sites, site, candidate)))) count++;
    }
  }
  return count;
}

function relationsOf(state: GraphState): RelationTally[] {
  const fact = encodeConfidence(FACT_CONFIDENCE);
  const facts = new Int32Array(256);
  const maybes = new Int32Array(256);
  for (let node = 0; node < state.size; node++) {
    const end = state.forwardEnds[node] ?? 0;
    for (let row = state.forwardStarts[node] ?? 0; row < end; row++) {
      if (state.live[state.pool.targets[row] ?? NO_NODE] !== 1) continue;
      const counts = (state.pool.confidences[row] ?? 0) >= fact ? facts : maybes;
      const relation = state.pool.relations[row] ?? 0;
      counts[relation] = (counts[relation] ?? 0) + 1;
    }
  }
  const rows = RELATIONS.map((row, code) => ({ relation: row.name, facts: facts[code] ?? 0, maybes: maybes[code] ?? 0 }));
  return rows.filter(row => row.facts + row.maybes > 0);
}
