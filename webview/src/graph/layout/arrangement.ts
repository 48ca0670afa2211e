/**
 * Where things stand: plain data in, plain data out, the same on every machine and in a worker as on the page.
 * Knows nothing of the canvas. A memory of the last arrangement keeps what is there where it was when something is added.
 */
import { boxes } from './boxes';
import { columns } from './columns';
import type { Arrangement, LayoutRequest } from './layoutTypes';

export function arrange(request: LayoutRequest): Arrangement {
  const memory = request.memory?.layout === request.layout ? request.memory : undefined;
  return request.layout === 'columns' ? columns(request, memory) : boxes(request, memory);
}
