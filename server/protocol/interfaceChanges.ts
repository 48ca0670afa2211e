/** What services offer and share and that came or went between two states, in words. */
import type { InterfaceChange } from './features';

/** `2 endpoints added, 1 use of events removed`; `''` where nothing came or went. `counted` writes a number with its noun. */
export function interfaceCounts(
  rows: readonly Pick<InterfaceChange, 'change' | 'kind'>[],
  counted: (count: number, noun: string, plural?: string) => string,
): string {
  const parts = KINDS.flatMap(({ kind, noun, plural }) =>
    (['added', 'removed'] as const).flatMap(change => {
      const count = rows.filter(row => row.kind === kind && row.change === change).length;
      return count === 0 ? [] : [`${counted(count, noun, plural)} ${change}`];
    }),
  );
  return parts.join(', ');
}

const KINDS = [
  { kind: 'endpoint', noun: 'endpoint', plural: 'endpoints' },
  { kind: 'event', noun: 'use of events', plural: 'uses of events' },
  { kind: 'domain_entity', noun: 'entity', plural: 'entities' },
] as const satisfies readonly { readonly kind: InterfaceChange['kind']; readonly noun: string; readonly plural: string }[];

/** `added · orders`, `no longer published by orders`: what became of it, and whose it is where a service of the workspace is known. */
export function interfaceNote({ change, role, service }: Pick<InterfaceChange, 'change' | 'role' | 'service'>): string {
  if (role === undefined) return service === '' ? change : `${change} · ${service}`;
  const verb = `${change === 'added' ? 'now' : 'no longer'} ${role === 'publishes' ? 'published' : 'consumed'}`;
  return service === '' ? verb : `${verb} by ${service}`;
}
