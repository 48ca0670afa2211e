/** Routes that are files: Next.js (`app/**\/route.ts`, `pages/api/**`), SvelteKit (`+server.ts`), Nuxt and Nitro (`server/api/**`). */
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
    if (step.s === 'fn' && METHODS.has(step.fn.v)) names.set(step.fn.v, step.fn.p);
    else if (step.s === 'let' && METHODS.has(step.v)) names.set(step.v, step.p);
    else if (step.s === 'export' && METHODS.has(step.v)) names.set(step.v, step.p);
  }
  for (const [method, p] of names) {
    const handler = collector.handlerOfFunction({ v: method, p }, file);
    collector.add({ method, path: pathOfFolder(folder), handler, framework, confidence: 0.95, place: collector.placeOf(file, p) });
  }
}

function whole(collector: RouteCollector, file: FileUnit, path: string, method: string, framework: string): void {
  const step = file.exports.find(each => each.v === 'default');
  if (step === undefined) return;
  const handler = collector.handlerOf(step.x ?? 0, file.scope);
  const named = handler.place.line > 0 && handler.symbol !== undefined ? handler : { symbol: handler.symbol, place: collector.placeOf(file, step.p) };
  collector.add({ method, path: pathOfFolder(path), handler: named, framework, confidence: 0.9, place: collector.placeOf(file, step.p) });
}

/** Groups in brackets are left out, `[id]` and `[...rest]` are parameters. */
function pathOfFolder(folder: string): string {
  const parts = folder.split('/').filter(part => part !== '' && !/^\(.*\)$/.test(part) && !part.startsWith('@'));
  return `/${parts.map(part => part.replace(/\[+(?:\.\.\.)?([^\]]+)\]+/g, '{$1}')).join('/')}`;
}
