/** Routes that are files: Next.js (`app/**\/route.ts`, `pages/api/**`), SvelteKit (`+server.ts`), Nuxt and Nitro (`server/api/**`). */
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import type { FileUnit } from '../../units';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

export const fileRouteReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (!/\.[cm]?[jt]sx?$/.test(file.path)) continue;
      const named = /(?:^|\/)app\/((?:.*\/)?)route\.[jt]sx?$/.exec(file.path);
      const kit = /(?:^|\/)routes\/((?:.*\/)?)\+server\.[jt]s$/.exec(file.path);
      const page = /(?:^|\/)pages\/(api(?:\/.*)?)\.[jt]sx?$/.exec(file.path);
      const nitro = /(?:^|\/)server\/((?:api|routes)\/.*?)(?:\.(get|post|put|patch|delete))?\.[jt]s$/.exec(file.path);
      if (named !== null) exportedMethods(collector, file, named[1] ?? '', 'nextjs');
      else if (kit !== null) exportedMethods(collector, file, kit[1] ?? '', 'sveltekit');
      else if (page !== null) whole(collector, file, (page[1] ?? '').replace(/\/index$/, ''), 'ANY', 'nextjs');
      else if (nitro !== null)
        whole(collector, file, (nitro[1] ?? '').replace(/^routes\//, '').replace(/\/index$/, ''), (nitro[2] ?? 'ANY').toUpperCase(), 'nitro');
    }
  },
};

function exportedMethods(collector: RouteCollector, file: FileUnit, folder: string, framework: string): void {
  const names = new Map<string, number>();
  for (const step of file.scope.steps) {
    if (step.kind === 'fn' && METHODS.has(step.fn.name)) names.set(step.fn.name, step.fn.position);
    else if (step.kind === 'let' && METHODS.has(step.name)) names.set(step.name, step.position);
    else if (step.kind === 'export' && METHODS.has(step.as)) names.set(step.as, step.position);
  }
  for (const [method, position] of names) {
    const handler = collector.handlerOfFunction({ name: method, position }, file);
    collector.add({
      method,
      path: pathOfFolder(folder),
      handler,
      framework,
      confidence: SERVICE_CONFIDENCE.writtenRoute,
      place: collector.placeOf(file, position),
    });
  }
}

function whole(collector: RouteCollector, file: FileUnit, path: string, method: string, framework: string): void {
  const step = file.exports.find(each => each.as === 'default');
  if (step === undefined) return;
  const handler = collector.handlerOf(step.value ?? 0, file.scope);
  const named = handler.place.line > 0 && handler.symbol !== undefined ? handler : { symbol: handler.symbol, place: collector.placeOf(file, step.position) };
  collector.add({
    method,
    path: pathOfFolder(path),
    handler: named,
    framework,
    confidence: SERVICE_CONFIDENCE.joinedRoute,
    place: collector.placeOf(file, step.position),
  });
}

/** Groups in brackets are left out, `[id]` and `[...rest]` are parameters. */
function pathOfFolder(folder: string): string {
  const parts = folder.split('/').filter(part => part !== '' && !/^\(.*\)$/.test(part) && !part.startsWith('@'));
  return `/${parts.map(part => part.replace(/\[+(?:\.\.\.)?([^\]]+)\]+/g, '{$1}')).join('/')}`;
}
