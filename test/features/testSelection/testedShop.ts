import { ok } from '../../../server/src/base/result';
import type { FeatureName } from '../../../server/src/features/catalogue/catalogue';
import type { ChangedFile } from '../../../server/src/workspace/changes';
import { outcomeOf } from '../../helpers/askFeature';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

/** Manifest of a project that is tested by Vitest. */
export const PACKAGE = '{"devDependencies":{"vitest":"4.0.0"}}';

/** The shop with its manifest, lock file and a text. */
export const SHOP: WorkspaceSketch = { ...shop, 'package.json': {}, 'yarn.lock': {}, 'README.md': {} };

/** Asks over the shop, or another sketch, with these changed files. */
export function askTested<Name extends FeatureName>(
  feature: Name,
  params: unknown,
  sketch: WorkspaceSketch = SHOP,
  texts: Readonly<Record<string, string>> = {},
  files: readonly ChangedFile[] = [],
) {
  const workspace = workspaceOf(sketch, { texts: { 'package.json': PACKAGE, ...texts }, changes: () => ok({ since: 'HEAD', files, truncated: false }) });
  return outcomeOf(feature, params, workspace);
}
