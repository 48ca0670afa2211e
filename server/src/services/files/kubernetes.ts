import type { WorkspacePath } from '../../base/path';
import type { ProxyRoute, ServiceFile, UnitFact } from '../serviceFile';
import { imageName } from './compose';
import { type Data, isRecord, KeyLines, keptValue, listIn, recordIn, textIn, textOf } from './data';

const WORKLOADS: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Rollout',
  'DeploymentConfig',
  'Job',
  'CronJob',
  'Pod',
  'Service.serving',
]);

/** Kubernetes objects: workloads, configuration maps, routes into the cluster. */
export function readKubernetes(path: WorkspacePath, documents: readonly unknown[], text: string): Partial<ServiceFile> {
  const lines = new KeyLines(text);
  const units: UnitFact[] = [];
  const proxies: ProxyRoute[] = [];
  const maps: Record<string, Readonly<Record<string, string>>> = {};
  const objects = documents.flatMap(document => (textIn(document, 'kind') === 'List' ? listIn(document, 'items') : [document]));
  for (const object of objects) {
    const kind = textIn(object, 'kind');
    const line = lines.next('kind');
    if (!isRecord(object) || kind === '') continue;
    const isKnative = kind === 'Service' && textIn(object, 'apiVersion').startsWith('serving.');
    if (WORKLOADS.has(kind) || isKnative) units.push(...workload(object, line, path));
    else if (kind === 'ConfigMap') maps[textIn(recordIn(object, 'metadata'), 'name')] = dataOf(object);
    else if (kind === 'Ingress' || kind === 'IngressRoute' || kind === 'HTTPRoute' || kind === 'VirtualService')
      proxies.push(...ingressRoutes(object, kind, line));
  }
  return {
    ...(units.length > 0 ? { units } : {}),
    ...(Object.keys(maps).length > 0 ? { configMaps: maps } : {}),
    ...(proxies.length > 0 ? { proxies } : {}),
  };
}

function workload(object: Data, line: number, path: WorkspacePath): UnitFact[] {
  const name = textIn(recordIn(object, 'metadata'), 'name');
  const spec = recordIn(object, 'spec');
  const inner = recordIn(recordIn(spec, 'jobTemplate'), 'spec');
  const template = recordIn(isRecord(spec['template']) ? spec : inner, 'template');
  const pod = textIn(object, 'kind') === 'Pod' ? spec : recordIn(template, 'spec');
  const labels = recordIn(recordIn(template, 'metadata'), 'labels');
  const containers = name === HELM ? [] : listIn(pod, 'containers').filter(isRecord);
  return containers.slice(0, 1).map(container => ({
    source: /(?:^|\/)templates\//.test(path) ? 'helm' : 'kubernetes',
    name,
    line,
    image: imageName(textIn(container, 'image')),
    context: undefined,
    dockerfile: undefined,
    buildWords: [],
    env: environmentIn(container),
    envFrom: listIn(container, 'envFrom')
      .map(from => textIn(recordIn(from, 'configMapRef'), 'name'))
      .filter(one => one !== ''),
    aliases: ['app', 'service', 'app.kubernetes.io/name'].map(key => textIn(labels, key)).filter(alias => alias !== '' && alias !== name),
    ports: listIn(container, 'ports').map(port => textIn(port, 'containerPort')),
  }));
}

/** Values of a container's variables; `name/key` of a configuration map stands as `configmap:name/key`. */
function environmentIn(container: Data): Readonly<Record<string, string>> {
  const pairs = listIn(container, 'env').flatMap(entry => {
    const name = textIn(entry, 'name');
    const ref = recordIn(recordIn(entry, 'valueFrom'), 'configMapKeyRef');
    const value = textIn(ref, 'name') === '' ? keptValue(name, textIn(entry, 'value')) : `configmap:${textIn(ref, 'name')}/${textIn(ref, 'key')}`;
    return name === '' || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

function dataOf(object: Data): Readonly<Record<string, string>> {
  const pairs = Object.entries(recordIn(object, 'data')).flatMap(([key, value]) => {
    const kept = keptValue(key, textOf(value));
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return Object.fromEntries(pairs);
}

function ingressRoutes(object: Data, kind: string, line: number): ProxyRoute[] {
  const spec = recordIn(object, 'spec');
  const route = (path: string, target: string, rewritten = path): ProxyRoute[] =>
    target === '' ? [] : [{ line, path: bare(path), target, rewritten: bare(rewritten), kind: kind === 'IngressRoute' ? 'traefik' : 'ingress' }];
  if (kind === 'Ingress') {
    const own = route('', backendOf(spec['defaultBackend'] ?? spec['backend']));
    const ofRules = listIn(spec, 'rules').flatMap(rule =>
      listIn(recordIn(rule, 'http'), 'paths').flatMap(path => route(textIn(path, 'path'), backendOf(recordIn(path, 'backend')))),
    );
    return [...own, ...ofRules];
  }
  if (kind === 'IngressRoute') {
    return listIn(spec, 'routes').flatMap(one =>
      listIn(one, 'services').flatMap(service =>
        route(/PathPrefix\(`(?<path>[^`]+)`/.exec(textIn(one, 'match'))?.groups?.['path'] ?? '', textIn(service, 'name')),
      ),
    );
  }
  if (kind === 'HTTPRoute') {
    return listIn(spec, 'rules').flatMap(rule => {
      const path = textIn(recordIn(listIn(rule, 'matches')[0], 'path'), 'value');
      return listIn(rule, 'backendRefs').flatMap(backend => route(path, textIn(backend, 'name')));
    });
  }
  return listIn(spec, 'http').flatMap(http => {
    const uri = recordIn(listIn(http, 'match')[0], 'uri');
    const path = textIn(uri, 'prefix') || textIn(uri, 'exact');
    const rewritten = textIn(recordIn(http, 'rewrite'), 'uri') || path;
    return listIn(http, 'route').flatMap(one => route(path, textIn(recordIn(one, 'destination'), 'host'), rewritten));
  });
}

function backendOf(backend: unknown): string {
  return textIn(recordIn(backend, 'service'), 'name') || textIn(backend, 'serviceName');
}

function bare(path: string): string {
  return path.replace(/[$^]|\(.*$|\/?\*+$/g, '').replace(/\/+$/, '');
}

/** Whether a text is worth reading as Kubernetes objects. */
export function looksLikeKubernetes(text: string): boolean {
  return /^\s*apiVersion:/m.test(text) && /^\s*kind:/m.test(text);
}

/** A chart's template without its instructions: what they would put in is unknown and reads `HELM`. */
export function withoutTemplating(text: string): string {
  return text
    .split('\n')
    .map(line => (/^\s*\{\{[^}]*\}\}\s*$/.test(line) ? '' : line.replace(/\{\{[^}]*\}\}/g, part => helmValue(part))))
    .join('\n');
}

/** What a chart would put in, where nothing tells it. */
const HELM = 'HELM';

/** The last name of a value, so that `{{ .Values.cart.name }}` reads `cart`; quotes would break the line. */
function helmValue(part: string): string {
  const fallback = /default\s+"(?<text>[^"]+)"/.exec(part)?.groups?.['text'];
  return fallback ?? HELM;
}
