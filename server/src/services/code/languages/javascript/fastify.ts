/** Fastify's folders: plugins that `@fastify/autoload` takes in, each under its folder's path. */

import { dirname, join } from '../../../../base/path';
import type { Term } from '../../../../model/digest';
import type { Binder, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { FileUnit, Scope } from '../../units';
import { joinPaths, literalOf, type Piece, pathOf, type Router, text } from '../../values';
import type { Visit } from '../../visits';

const AUTOLOAD = /^(?:@fastify\/autoload|fastify-autoload)(?:\.(?:default|fastifyAutoload|autoload))?$/;

/** Gives the functions of plugins in a folder their routers. */
export const bindAutoload: Binder = (collector, { call, scope }, parent, method) => {
  if (method !== 'register' || parent.framework.name !== 'fastify') return false;
  const { evaluator } = collector;
  const [plugin = 0] = call.args;
  if (!evaluator.values(plugin, scope).some(value => value.kind === 'outside' && AUTOLOAD.test(value.path))) return false;
  const folder = folderOf(collector, { call, scope });
  if (folder === undefined) {
    collector.skip(COMPUTED.autoload, scope.file, call.position);
    return true;
  }
  const options = evaluator.argument(call, 'options', scope);
  const outer = options === undefined ? undefined : evaluator.entry(options.term, 'prefix', options.scope);
  const prefix = outer === undefined ? [] : (evaluator.texts(outer.term, outer.scope)[0] ?? []);
  const named = evaluator.argument(call, 'dirNameRoutePrefix', scope)?.term;
  const isFlat = named !== undefined && named !== 0 && named.kind === 'name' && named.name === 'false';
  for (const file of collector.units.files.values()) {
    if (!file.path.startsWith(`${folder}/`) || /\.(?:test|spec)\.|autohooks/.test(file.path)) continue;
    mountFile(collector, file, parent, prefix, isFlat ? '' : dirname(file.path).slice(folder.length), options);
  }
  return true;
};

function mountFile(
  collector: RouteCollector,
  file: FileUnit,
  parent: Router,
  prefix: readonly Piece[],
  inside: string,
  options: { readonly term: Term; readonly scope: Scope } | undefined,
): void {
  const path = inside.replace(/\/_(\w+)/g, '/:$1');
  const own = ownPrefix(collector, file);
  const pieces = [...prefix, ...text(joinPaths(own?.replaces === true ? '' : path, own?.path ?? '').replace(/^\/$/, ''))];
  for (const step of file.exports) {
    if (step.as !== 'default' || step.value === undefined) continue;
    for (const term of [step.value, ...wrapped(step.value)]) {
      for (const value of collector.evaluator.values(term, file.scope)) {
        if (value.kind !== 'function') continue;
        const router = collector.evaluator.router(parent.framework, file, value.fn.position, { key: `autoload:${parent.file.path}:${parent.position}` });
        collector.evaluator.mount(router, { parent, prefix: pieces, replaces: false });
        collector.evaluator.give(value.fn, 0, { value: { kind: 'router', router } });
        if (options !== undefined) collector.evaluator.give(value.fn, 1, { ...options, position: value.fn.position });
      }
    }
  }
}

/** `fp(async function (fastify) { … })` */
function wrapped(term: Term): readonly Term[] {
  return term !== 0 && term.kind === 'call' ? term.args : [];
}

/** `module.exports.autoPrefix = '/x'`, `prefixOverride`. */
function ownPrefix(collector: RouteCollector, file: FileUnit): { readonly path: string; readonly replaces: boolean } | undefined {
  const find = (name: string): string | undefined => {
    for (const step of file.exports) {
      if (step.as === name && step.value !== undefined) return collector.evaluator.texts(step.value, file.scope).map(pathOf)[0];
    }
    for (const step of file.scope.steps) {
      if (step.kind !== 'set' || step.target === 0 || step.target.kind !== 'member' || step.target.name !== name) continue;
      return collector.evaluator.texts(step.value, file.scope).map(pathOf)[0];
    }
    return undefined;
  };
  const override = find('prefixOverride');
  if (override !== undefined) return { path: override, replaces: true };
  const auto = find('autoPrefix');
  return auto === undefined ? undefined : { path: auto, replaces: true };
}

/** `path.join(__dirname, 'routes')`, `join(import.meta.dirname, 'routes')`, a text. */
function folderOf(collector: RouteCollector, { call, scope }: Visit): string | undefined {
  const dir = collector.evaluator.argument(call, 'dir', scope);
  if (dir === undefined || dir.term === 0) return undefined;
  const here = dirname(dir.scope.file.path);
  if (dir.term.kind === 'call') {
    const parts = dir.term.args.flatMap(term => collector.evaluator.texts(term, dir.scope).map(literalOf).slice(0, 1));
    const relative = parts.filter(part => part !== undefined).join('/');
    return relative === '' ? undefined : join(here, relative);
  }
  if (dir.term.kind === 'join') {
    const last = dir.term.parts.at(-1) ?? 0;
    return last !== 0 && last.kind === 'text' ? join(here, last.text.replace(/^\//, '')) : undefined;
  }
  return undefined;
}
