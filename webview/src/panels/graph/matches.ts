import type { SceneNodeDto } from '../../../../server/protocol/features';
import type { PanelRequests } from '../../../../server/protocol/graphPanel';
import type { SearchHit } from './toolbar';

/** Nodes of a picture that a text names, the best first: by their own name, or else by where they are. */
export function matches(nodes: readonly SceneNodeDto[], text: string): { readonly named: readonly SceneNodeDto[]; readonly placed: readonly SceneNodeDto[] } {
  const words = text.trim().toLowerCase();
  if (words === '') return { named: [], placed: [] };
  const rankOf = ({ label }: SceneNodeDto): number => {
    const name = label.toLowerCase();
    return name === words ? 0 : name.startsWith(words) ? 1 : name.includes(words) ? 2 : Number.POSITIVE_INFINITY;
  };
  const candidates = nodes.filter(node => node.role !== 'bundle');
  const named = candidates
    .map(node => ({ node, rank: rankOf(node) }))
    .filter(({ rank }) => Number.isFinite(rank))
    .sort((a, b) => a.rank - b.rank || a.node.label.length - b.node.label.length)
    .map(({ node }) => node);
  return { named, placed: candidates.filter(node => !named.includes(node) && node.path.toLowerCase().includes(words)) };
}

/** What a search lists: the nodes of the picture that match, then what the index finds besides. */
export function hitsOf(shown: readonly SceneNodeDto[], found: PanelRequests['search']['answer']['hits']): readonly SearchHit[] {
  const known = new Set(shown.map(({ id }) => id));
  return [
    ...shown.map(({ id, label, path }) => ({ id, label, note: path, isShown: true })),
    ...found.filter(({ id }) => !known.has(id)).map(({ id, name, path, startLine }) => ({ id, label: name, note: `${path}:${startLine}`, isShown: false })),
  ];
}
