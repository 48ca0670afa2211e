import type { Side } from './neighbours';

/**
 * What a reader of a scene has opened. Keys: `in:SCOPE:ID` and `out:SCOPE:ID` show more neighbours of a node (SCOPE is a lane, a relation or `*`),
 * `depth:N` more at a distance, `open:ID` what is in a group, `more:ID` more of what is in it.
 */
export class Expansions {
  readonly #counts = new Map<string, number>();
  readonly #nodes = new Set<string>();

  constructor(readonly keys: readonly string[]) {
    for (const key of keys) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      const neighbour = /^(?:in|out):[^:]*:(?<id>.*)$/s.exec(key)?.groups?.['id'];
      if (neighbour !== undefined) this.#nodes.add(neighbour);
    }
  }

  /** How often a key was given. */
  times(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  isOpen(group: string): boolean {
    return this.#counts.has(openKey(group));
  }

  /** Whether neighbours of a node were asked for. */
  concerns(id: string): boolean {
    return this.#nodes.has(id);
  }
}

export function sideKey(side: Side, scope: string, id: string): string {
  return `${side}:${scope}:${id}`;
}

export function openKey(group: string): string {
  return `open:${group}`;
}

export function moreKey(group: string): string {
  return `more:${group}`;
}
