import type { WorkspacePath } from '../base/path';
import { SERVICE_CONFIDENCE } from '../model/evidence';
import { isRecord, listIn, textIn } from './files/data';
import type { Service } from './model';
import type { CodeSurface, EventUse, RouteFact } from './surface';

/** Interfaces that somebody else has found, by name of a service: `{endpoints[{method, path, handler, file, line}], events_published[{event_name, channel, file, line}], events_consumed[…]}`. */
export function withInterfaces(surface: CodeSurface, services: readonly Service[], given: unknown): CodeSurface {
  if (!isRecord(given)) return surface;
  const routes: RouteFact[] = [];
  const events: EventUse[] = [];
  for (const { name, paths } of services) {
    const own = given[name];
    const placeOf = (row: unknown): { readonly file: WorkspacePath; readonly line: number } => {
      const line = isRecord(row) && typeof row['line'] === 'number' ? row['line'] : 0;
      return { file: textIn(row, 'file') || `${paths[0] ?? ''}/`, line };
    };
    for (const row of listIn(own, 'endpoints')) {
      const place = placeOf(row);
      const handler = textIn(row, 'handler');
      const id = handler === '' ? undefined : handler.includes('::') ? handler : `${place.file}::${handler}`;
      const method = textIn(row, 'method').toUpperCase() || 'ANY';
      if (textIn(row, 'path') !== '')
        routes.push({
          method,
          path: textIn(row, 'path'),
          handler: id,
          handlerPlace: place,
          place,
          framework: 'given',
          confidence: SERVICE_CONFIDENCE.declared,
        });
    }
    for (const direction of ['publish', 'consume'] as const) {
      for (const row of listIn(own, direction === 'publish' ? 'events_published' : 'events_consumed')) {
        const event = textIn(row, 'event_name');
        const base = { direction, name: event, channel: textIn(row, 'channel') || event, aliases: [], symbol: undefined };
        if (event !== '') events.push({ ...base, place: placeOf(row), framework: 'given', confidence: SERVICE_CONFIDENCE.declared });
      }
    }
  }
  return { ...surface, routes: [...routes, ...surface.routes], events: [...events, ...surface.events] };
}
