/** Routes of Spring Cloud Gateway that stand in code. */
import type { Term } from '../../../../model/digest';
import { methodNames, type RouteCollector } from '../../collector';
import type { FileUnit } from '../../units';
import { callOf } from '../../uses';
import { joinPaths, pathOf } from '../../values';
import type { Visit } from '../../visits';

/** `builder.routes().route(r -> r.path("/orders/**").and().method("POST").uri("lb://orders"))` of Spring Cloud Gateway: a call of what stands behind it. */
export function readGatewayRoute(collector: RouteCollector, { call, scope }: Visit): void {
  if (call.callee === 0 || call.callee.kind !== 'member' || call.callee.name !== 'uri' || !importsGateway(scope.file)) return;
  const { evaluator } = collector;
  const paths: string[] = [];
  const methods: string[] = [];
  let at: Term = call.callee.owner;
  while (at !== 0 && at.kind === 'call' && at.callee !== 0 && at.callee.kind === 'member') {
    if (at.callee.name === 'path') for (const term of at.args) paths.push(...evaluator.texts(term, scope).map(pathOf));
    else if (at.callee.name === 'method') for (const term of at.args) methods.push(...methodNames(term, scope, evaluator));
    at = at.callee.owner;
  }
  if (paths.length === 0) return;
  const [target = []] = evaluator.textsAt(call, 0, scope);
  for (const method of methods.length === 0 ? ['ANY'] : methods) {
    for (const path of paths) {
      const text = joinPaths(path.replace(/\/?\*+$/, ''));
      const forwarded = callOf(collector, call, scope, 'spring-cloud-gateway', method.toUpperCase(), target);
      collector.calls.push({ ...forwarded, forwards: { covers: path.endsWith('*') ? 'below' : 'path', path: text, rewritten: [text] } });
    }
  }
}

function importsGateway({ scope }: FileUnit): boolean {
  return scope.steps.some(step => step.kind === 'import' && step.from.startsWith('org.springframework.cloud.gateway.'));
}
