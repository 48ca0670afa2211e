import type { Failure } from '../base/result';
import { type Hint, paramRef, phrase } from '../model/hints';

/** Why a change of memory is refused; nothing was written. `hint` is one concrete next action. */
export interface MemoryFailure extends Failure {
  readonly code: 'VALIDATION_ERROR' | 'NOT_FOUND' | 'FORBIDDEN';
  readonly hint: Hint;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Issue {
  readonly field: string;
  readonly message: string;
}

/** Names every field that is wrong; `issues` has at least one. */
export function invalidFields(issues: readonly Issue[], hint?: Hint): MemoryFailure {
  const [first = { field: 'input', message: 'is not valid' }] = issues;
  return {
    code: 'VALIDATION_ERROR',
    message: `${issues.map(({ field, message }) => `${field} ${message}`).join('; ')}.`,
    hint: hint ?? phrase`Call again with a valid ${listed(issues.length === 0 ? [first.field] : issues.map(({ field }) => field))}.`,
    data: { field: first.field, issues },
  };
}

/** `a`, `a and b`, `a, b and c`, each as its door spells it. */
function listed(fields: readonly string[]): Hint {
  return fields.flatMap((field, at) => [...(at === 0 ? [] : [at === fields.length - 1 ? ' and ' : ', ']), paramRef(field)]);
}

export function missing(kind: string, id: string, hint: Hint): MemoryFailure {
  return { code: 'NOT_FOUND', message: `The ${kind} ${id} does not exist in this project.`, hint, data: { suggestions: [] } };
}

export function foreignClaim(id: string, holder: string): MemoryFailure {
  return {
    code: 'FORBIDDEN',
    message: `The claim ${id} belongs to ${holder}.`,
    hint: `Ask ${holder} to release it. A person can release it with "Lattice: Release Agent's Claims".`,
    data: { agentId: holder },
  };
}
