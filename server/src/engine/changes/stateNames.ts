/** What the name of a state of the code stands for, the same wherever one is asked for: `since`, `asOf`, both ends of a comparison. */
export type StateName =
  | { readonly kind: 'transaction'; readonly id: string }
  | { readonly kind: 'time'; readonly text: string; readonly at: number }
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'range'; readonly from: string; readonly dots: '..' | '...'; readonly to: string }
  /** A commit, tag, branch or whatever else git knows. `isForced`: it is nothing else. */
  | { readonly kind: 'revision'; readonly text: string; readonly isForced: boolean };

const TRANSACTION = /^(?:tx::)?(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const HAS_OFFSET = /[T ].*(?:Z|[+-]\d{2}:?\d{2})$/;
const RANGE = /^(?<from>.*?)(?<dots>\.{2,3})(?<to>.*)$/;

/** The first form that fits wins; a time without offset is UTC. */
export function readStateName(given: string): StateName {
  const text = given.trim();
  const id = TRANSACTION.exec(text)?.groups?.['id'];
  if (id !== undefined) return { kind: 'transaction', id: id.toLowerCase() };
  const forced = /^(?<kind>agent|commit):(?<rest>.+)$/.exec(text)?.groups;
  if (forced?.['kind'] === 'agent') return { kind: 'agent', name: forced['rest'] ?? '' };
  if (forced !== undefined) return { kind: 'revision', text: forced['rest'] ?? '', isForced: true };
  const at = TIME.test(text) ? Date.parse(HAS_OFFSET.test(text) || text.length === 10 ? text : `${text}Z`) : Number.NaN;
  if (!Number.isNaN(at)) return { kind: 'time', text, at };
  const range = RANGE.exec(text)?.groups;
  if (range !== undefined) return { kind: 'range', from: range['from'] ?? '', dots: range['dots'] as '..' | '...', to: range['to'] ?? '' };
  return { kind: 'revision', text, isForced: false };
}
