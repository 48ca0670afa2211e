import type { Atom, Molecule } from '../../knowledge/types';
import type { LayerDelta, LayerEdge, LayerNode } from '../layer';

type Upsert = LayerDelta['upserts'][number];

/** An atom with what it says of other atoms, and its molecule; the files that it covers come beside. */
export function atomUpsert(atom: Atom, covers: readonly LayerEdge[]): Upsert {
  const { id, moleculeId, paths, relatedAtoms } = atom;
  const edges: LayerEdge[] = relatedAtoms.map(({ atomId, reason }) => ({
    source: id,
    relation: 'RELATED_ATOM',
    target: atomId,
    provenance: 'human',
    attributes: { reason },
  }));
  if (moleculeId !== null) edges.push({ source: id, relation: 'IN_MOLECULE', target: moleculeId, provenance: 'human' });
  return { node: entityNode('atom', atom, { paths, moleculeId }), edges: [...edges, ...covers] };
}

export function moleculeUpsert(molecule: Molecule): Upsert {
  const edges = molecule.relatedMolecules.map(
    ({ moleculeId, reason }): LayerEdge => ({
      source: molecule.id,
      relation: 'RELATED_MOLECULE',
      target: moleculeId,
      provenance: 'human',
      attributes: { reason },
    }),
  );
  return { node: entityNode('molecule', molecule, {}), edges };
}

export function coversEdge(atom: string, path: string): LayerEdge {
  return { source: atom, relation: 'COVERS', target: path, provenance: 'human' };
}

function entityNode(kind: 'atom' | 'molecule', entity: Atom | Molecule, own: LayerNode['attributes']): LayerNode {
  const { createdAt, id, knowledge, lastTaskId, name, updatedAt, version } = entity;
  return { id, kind, name, summary: leadOf(knowledge), doc: knowledge, attributes: { ...own, knowledge, version, lastTaskId, createdAt, updatedAt } };
}

const MAX_LEAD_LENGTH = 160;

/** The first line of Markdown that says something, cut at a word. */
export function leadOf(markdown: string): string {
  const line = markdown.split('\n').find(text => /[\p{L}\p{N}]/u.test(text) && !text.startsWith('---['));
  const text = (line ?? '').replace(/^[\s#>*-]+/, '').trim();
  return text.length <= MAX_LEAD_LENGTH ? text : `${text.slice(0, MAX_LEAD_LENGTH).replace(/\s+\S*$/, '')}…`;
}
