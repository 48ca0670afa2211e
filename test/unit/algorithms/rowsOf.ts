import type { Rows } from '../../../server/src/algorithms/rows';

export interface Arrows {
  readonly forward: Rows;
  readonly backward: Rows;
  readonly live: Uint8Array;
}

/** Rows from `a>b` pairs over nodes 0…size-1, all of kind 0 and full confidence; `a>b:k` is of kind k. */
export function arrows(size: number, pairs: string): Arrows {
  const links = pairs
    .split(' ')
    .filter(pair => pair !== '')
    .map(pair => {
      const [ends = '', kind = '0'] = pair.split(':');
      const [from = 0, to = 0] = ends.split('>').map(Number);
      return { from, to, kind: Number(kind) };
    });
  const half = (start: 'from' | 'to', end: 'from' | 'to'): Rows => {
    const sorted = links.toSorted((a, b) => a[start] - b[start]);
    return {
      starts: Int32Array.from({ length: size }, (_, node) => sorted.filter(link => link[start] < node).length),
      ends: Int32Array.from({ length: size }, (_, node) => sorted.filter(link => link[start] <= node).length),
      targets: Int32Array.from(sorted, link => link[end]),
      relations: Uint8Array.from(sorted, link => link.kind),
      confidences: new Uint8Array(links.length).fill(200),
    };
  };
  return { forward: half('from', 'to'), backward: half('to', 'from'), live: new Uint8Array(size).fill(1) };
}
