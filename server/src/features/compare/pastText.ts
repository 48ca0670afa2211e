import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { Workspace } from '../../workspace/snapshot';
import { fromVersions } from '../shared/changeSource';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { text } from '../shared/params';
import { object, type Shaped, shape } from '../shared/shape';
import { workspacePath } from '../shared/spelling';

export const pastTextParams = shape(() =>
  object({
    path: text(),
    /** A commit, tag, branch, time or transaction. */
    at: text(),
  }),
);

/** `text` is null where there was no such file. */
export const pastTextAnswerShape = shape(() => object({ text: z.string().nullable() }));

/** The text of a file as it was. */
export async function pastText(
  workspace: Workspace,
  params: Shaped<typeof pastTextParams>,
  token: CancellationToken,
): Promise<Result<Shaped<typeof pastTextAnswerShape>, FeatureFailure>> {
  const path = workspacePath(workspace, params.path);
  if (!path.ok) return path;
  if (workspace.textAt === undefined) return err({ code: 'UNAVAILABLE', message: 'Past states of this workspace are not available.', hint: 'Open the file.' });
  const found = await workspace.textAt(path.value, params.at, token);
  return found.ok ? ok({ text: found.value ?? null }) : err(fromVersions(found.error, 'at'));
}

export const pastTextFeature = feature({
  name: 'pastText',
  about: 'The text of a file at a commit; null when it did not exist.',
  params: pastTextParams,
  answer: pastTextAnswerShape,
  run: pastText,
});
