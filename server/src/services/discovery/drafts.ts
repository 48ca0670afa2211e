/** Services while they are being discovered. */
import type { WorkspacePath } from '../../base/path';
import type { UnitFact } from '../serviceFile';
import type { Place } from '../surface';

/** Sources from the strongest to the weakest: the first that names a service wins, later ones fill gaps. */
export const STRENGTH = ['map', 'compose', 'kubernetes', 'helm', 'skaffold', 'tilt', 'aspire', 'dockerfile', 'manifest', 'folder', 'workspace'] as const;
export type Source = (typeof STRENGTH)[number];

export interface Draft {
  name: string;
  readonly paths: WorkspacePath[];
  readonly sources: Source[];
  readonly place: Place | undefined;
  readonly aliases: Set<string>;
  readonly units: UnitFact[];
  domain: string;
  description: string;
  stack: Readonly<Record<string, string>>;
  estimatedLoc: number | undefined;
  contracts: readonly string[];
}

export interface Found {
  readonly name: string;
  readonly root: WorkspacePath;
  readonly source: Source;
  readonly place: Place | undefined;
  readonly unit?: UnitFact;
}

export function draftOf({ name, place, root, source }: Found): Draft {
  return {
    name,
    paths: [root],
    sources: [source],
    place,
    aliases: new Set(),
    units: [],
    domain: '',
    description: '',
    stack: {},
    estimatedLoc: undefined,
    contracts: [],
  };
}

export function imageNames(unit: UnitFact): string[] {
  const last = unit.image.split('/').pop() ?? '';
  return last === '' ? [] : [last];
}
