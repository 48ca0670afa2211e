import type { CancellationToken } from '../../../base/cancellation';
import { err, ok, type Result } from '../../../base/result';
import { type CrossImpact, crossServiceImpact } from '../../../features/architecture/services/crossImpact';
import { paramRef, phrase } from '../../../model/hints';
import type { Stamp, Workspace } from '../../../workspace/snapshot';
import type { ToolFailure, ToolSuccess } from '../../tool';
import { count, failure } from '../outcome';

/** What the change of one target or of some files means for other services. */
export async function impactOnServices(
  workspace: Workspace,
  input: { readonly target?: string | undefined; readonly files?: readonly string[] | undefined; readonly maxDepth: number },
  token: CancellationToken,
): Promise<Result<ToolSuccess, ToolFailure>> {
  const model = await workspace.services?.model(token);
  if (input.target === undefined && input.files?.length === 0) {
    const snapshot = await workspace.snapshot([], token);
    if (snapshot.ok) return ok({ summary: 'Nothing changed, so no other service is affected.', data: {}, stamp: snapshot.value.stamp });
  }
  const targets = input.target === undefined ? (input.files ?? []) : [input.target];
  if (model === undefined || model.services.length === 0 || targets.length === 0) return err(NO_SERVICES);
  const parts: (CrossImpact & { readonly stamp: Stamp })[] = [];
  for (const target of targets) {
    const found = await crossServiceImpact(workspace, { target, maxDepth: input.maxDepth }, token);
    // A changed file that is not in the graph, or no longer, has no effect that is known.
    if (!found.ok && targets.length > 1 && found.error.code === 'NOT_FOUND') continue;
    if (!found.ok) return failure(found.error);
    parts.push(found.value);
  }
  const [first] = parts;
  if (first === undefined) return err(NO_SERVICES);
  const distinct = <T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] => [...new Map(rows.map(row => [keyOf(row), row])).values()];
  const services = distinct(
    parts.flatMap(part => part.services),
    row => row.service,
  );
  const names = services.map(({ service }) => service);
  return ok({
    summary: names.length === 0 ? 'No other service is affected.' : `${count(names.length, 'other service')} may be affected: ${names.join(', ')}.`,
    data: {
      impactedServices: services,
      impactedContracts: distinct(
        parts.flatMap(part => part.contracts),
        row => row.contract,
      ),
      impactedEntities: distinct(
        parts.flatMap(part => part.entities),
        row => row.name,
      ),
      impactedEvents: distinct(
        parts.flatMap(part => part.events),
        row => row.name,
      ),
    },
    stamp: first.stamp,
  });
}

/** Files that are looked at for their effect on other services beside that on code. */
const MAX_BESIDE = 20;

/** The same beside the impact on code: only in a system of several services that is known already, and only what there is. */
export async function servicesBeside(
  workspace: Workspace,
  targets: readonly string[],
  maxDepth: number,
  token: CancellationToken,
): Promise<Readonly<Record<string, unknown>>> {
  if ((workspace.services?.current?.services.length ?? 0) < 2 || targets.length === 0) return {};
  const found = await impactOnServices(workspace, { files: targets.slice(0, MAX_BESIDE), maxDepth }, token);
  return found.ok ? Object.fromEntries(Object.entries(found.value.data).filter(([, rows]) => Array.isArray(rows) && rows.length > 0)) : {};
}

/** The graph of code knows no services: to answer with none would look as if there were no effect. */
const NO_SERVICES: ToolFailure = {
  code: 'UNAVAILABLE',
  message: 'There are no services in the graph of this workspace, so the impact on other services is not known.',
  hint: phrase`Use ${paramRef('scope', 'code')}, or ${paramRef('target')} or ${paramRef('files')} in a workspace with services.`,
};
