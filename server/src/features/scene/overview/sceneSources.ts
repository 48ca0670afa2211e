import type { CancellationToken } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import type { ServiceModel } from '../../../services/model';
import type { CoverageFile } from '../../../workspace/coverage';
import type { Workspace } from '../../../workspace/snapshot';
import { BUILTIN_RULES, type RuleSet } from '../../architecture/rules';
import { ruleSources } from '../../architecture/sources';
import { serviceOf } from '../../shared/services';
import type { SceneParams } from '../sceneShapes';
import { CodeOwners, OWNER_FILES } from './codeOwners';
import type { IsViolation } from './violations';

/** What scenes rest on beside the graph. */
export interface SceneSources {
  /** Whether there is a CODEOWNERS file. */
  readonly hasOwners: boolean;
  /** In the order in which they are named; `[]` for nobody's. */
  ownersOf(path: WorkspacePath): readonly string[];
  /** `''` for none. */
  serviceOf(path: WorkspacePath): string;
  /** What is known of services, when they are groups or the flow of an endpoint is asked for. */
  readonly services: ServiceModel | undefined;
  /** Those of the architecture. */
  readonly rules: RuleSet;
  isViolation: IsViolation;
  /** Coverage reports, newest first. */
  readonly reports: readonly CoverageFile[];
}

export const NO_SOURCES: SceneSources = {
  hasOwners: false,
  ownersOf: () => [],
  serviceOf,
  services: undefined,
  rules: BUILTIN_RULES,
  isViolation: () => false,
  reports: [],
};

/** Reads what the start, the grouping or the colors of a scene ask for. */
export async function sceneSources(workspace: Workspace, { start, groupBy, colorBy }: SceneParams, token: CancellationToken): Promise<SceneSources> {
  const owners = groupBy === 'owner' || colorBy === 'owner' ? await readOwners(workspace) : undefined;
  const model = groupBy === 'service' || start === 'flow' ? await workspace.services?.model(token) : undefined;
  const services = model === undefined || model.services.length === 0 ? undefined : model;
  const rules = start === 'workspace' || start === 'folder' ? await ruleSources(workspace) : undefined;
  const reports = colorBy === 'coverage' ? await workspace.coverage?.reports() : undefined;
  return {
    hasOwners: owners !== undefined,
    ownersOf: path => owners?.of(path) ?? [],
    serviceOf: path => (services === undefined ? serviceOf(path) : services.serviceOf(path)),
    services,
    // A rule file that cannot be read rules nothing.
    rules: rules?.ok === true ? rules.value.rules : BUILTIN_RULES,
    isViolation: NO_SOURCES.isViolation,
    reports: reports?.files ?? [],
  };
}

async function readOwners(workspace: Workspace): Promise<CodeOwners | undefined> {
  for (const path of OWNER_FILES) {
    const text = await workspace.readText(path);
    if (text.ok) return new CodeOwners(text.value);
  }
  return undefined;
}
