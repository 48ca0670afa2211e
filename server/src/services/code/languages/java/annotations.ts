import { type CallTerm, type Term, termName } from '../../../../model/digest';
import type { Scope } from '../../units';

/** An annotation whose import says that it is the one meant. */
export function annotation(decorators: readonly Term[] | undefined, path: string, scope: Scope): CallTerm | undefined {
  const name = path.slice(path.lastIndexOf('.') + 1);
  for (const term of decorators ?? []) {
    if (term === 0 || term.kind !== 'call' || termName(term.callee) !== name) continue;
    if (isImported(scope, path)) return term;
  }
  return undefined;
}

/** By its name, or with all names of its package. */
function isImported({ file }: Scope, path: string): boolean {
  const folder = path.slice(0, path.lastIndexOf('.'));
  return file.scope.steps.some(
    step =>
      step.kind === 'import' &&
      (`${step.from}.${step.name}` === path ||
        step.from === path ||
        (step.as === '' && (step.from === folder || `${step.from}.${step.name}` === `${folder}.*`))),
  );
}
