/** How the areas of a scene are told apart: each by a letter and a color, so that neither is needed to read the other. */
import type { SceneAreaShare, SceneAreasDto, SceneDto } from '../../../server/protocol/features';

/** Letters of more areas than this are not shown on a node. */
const MAX_LETTERS = 2;

/** `A` for the first area of the legend. */
export function letterOf(place: number): string {
  return String.fromCodePoint(65 + place);
}

/** `A`, `AB`, `AB+`; `…` for what belongs to areas that the legend leaves out. */
export function lettersOf({ areas }: SceneAreaShare): string {
  if (areas.length === 0) return '…';
  return `${areas.slice(0, MAX_LETTERS).map(letterOf).join('')}${areas.length > MAX_LETTERS ? '+' : ''}`;
}

/** What a node belongs to and whether the chosen atom covers it, in words; `[]` when nobody asked. */
export function areaWords({ areas, atom }: Pick<SceneDto, 'areas' | 'atom'>, id: string): string[] {
  const share = areas?.of[id];
  const names = share?.areas.map(place => areas?.list[place]?.label ?? '') ?? [];
  const own = areas === undefined ? [] : share === undefined ? [emptyAreaLabel(areas.by)] : names.length === 0 ? ['other areas'] : [names.join(', ')];
  return [...own, ...(atom?.nodes.includes(id) === true ? [`covered by ${atom.name}`] : [])];
}

export function emptyAreaLabel(by: SceneAreasDto['by']): string {
  return by === 'molecule' ? 'not covered' : by === 'owner' ? 'no owner' : 'no community';
}

/** Areas of a group that is drawn as one node, from those of its members. */
export function sharesWithGroups(areas: SceneAreasDto, members: ReadonlyMap<string, readonly { readonly id: string }[]>): SceneAreasDto {
  const of: Record<string, SceneAreaShare> = { ...areas.of };
  for (const [group, nodes] of members) {
    const own = nodes.flatMap(node => areas.of[node.id] ?? []);
    if (own.length === 0) continue;
    const counts = new Map<number, number>();
    for (const { areas: places, within, parts } of own)
      for (const [rank, place] of places.entries()) counts.set(place, (counts.get(place) ?? 0) + (rank === 0 ? within : parts / 2));
    const places = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([place]) => place);
    const first = own.filter(share => share.areas[0] === places[0]);
    of[group] = { areas: places, parts: own.reduce((sum, share) => sum + share.parts, 0), within: first.reduce((sum, share) => sum + share.within, 0) };
  }
  return { ...areas, of };
}
