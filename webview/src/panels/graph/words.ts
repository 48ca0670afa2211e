import type { SceneEdgeDto, SceneNodeDto } from '../../../../server/protocol/features';
import { figure } from '../../../../server/protocol/figures';

/** Relations and kinds in words. */
export function relationName(relation: string): string {
  return relation.toLowerCase().replaceAll('_', ' ');
}

/** What a neighbor on one side does: `called by`, `calls`. */
export function sideName(side: 'in' | 'out', relation: string): string {
  if (side === 'out') return relationName(relation);
  return PASSIVE[relation] ?? `${relationName(relation)} (in)`;
}

const PASSIVE: Readonly<Record<string, string>> = {
  CALLS: 'called by',
  INHERITS: 'extended by',
  IMPLEMENTS: 'implemented by',
  OVERRIDES: 'overridden by',
  IMPORTS: 'imported by',
  USES_TYPE: 'used as a type by',
  INSTANTIATES: 'created by',
  COVERS: 'covered by',
  TOUCHES: 'touched by',
  IN_MOLECULE: 'has atom',
  PART_OF: 'has part',
  DEPENDS_ON: 'blocks',
  AFFECTS: 'affected by',
  BELONGS_TO: 'has member',
  DECORATES: 'decorated by',
  RAISES: 'raised by',
  CATCHES: 'caught by',
  ASSIGNS_TO: 'assigned by',
  READS_FROM: 'read by',
  USES_CONSTANT: 'used by',
  USES_DEFAULT: 'default of',
  USES_GLOBAL: 'used by',
  ASSERTS_TYPE: 'asserted by',
  USES_CONTEXT_MANAGER: 'entered by',
  TESTS: 'tested by',
  NAMES: 'imported or exported by',
  RE_EXPORTS: 're-exported by',
  IMPORTS_TYPES: 'types imported by',
};

export function kindName(kind: string): string {
  return kind.replaceAll('_', ' ');
}

const CHANGE_WORDS: Readonly<Record<NonNullable<SceneNodeDto['change']>, string>> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  moved: 'moved',
  signature: 'signature changed',
  body: 'changed',
};

/** What a line does against the architecture rules. */
export function violationWords({ violations = 0 }: Pick<SceneEdgeDto, 'violations'>): string[] {
  return violations === 0 ? [] : [`${figure(violations)} ${violations === 1 ? 'violation' : 'violations'}`];
}

/** What became of a node in a comparison; none where it did not change. */
export function changeWords({ breaking, change }: Pick<SceneNodeDto, 'breaking' | 'change'>): string[] {
  return change === undefined ? [] : [CHANGE_WORDS[change], ...(breaking === true ? ['breaking'] : [])];
}
