import { basename, dirname, type WorkspacePath } from '../../base/path';
import { alike } from '../discovery/units';
import type { Contract, Service } from '../model';
import { plainPath, spellings } from '../paths';
import type { ContractFact, ServiceFile } from '../serviceFile';
import type { CodeSurface } from '../surface';
import type { Procedures } from './procedures';

export interface ContractSources {
  readonly files: readonly ServiceFile[];
  readonly services: readonly Service[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly surface: CodeSurface;
  readonly procedures: Procedures;
}

/** Contract files with the service that provides each: named by the service map, else by `x-service`, by the folder, by what code serves, by its name. */
export function matchContracts({ files, procedures, serviceOf, services, surface }: ContractSources): readonly Contract[] {
  const served = servedPaths(surface, serviceOf);
  const seen = new Set<string>();
  return files.flatMap(({ contract: fact, path }): Contract[] => {
    if (fact === undefined) return [];
    const id = seen.has(fact.id) ? path : fact.id;
    seen.add(id);
    return [{ id, file: path, fact, service: providerOf(fact, path, { services, serviceOf, served, procedures }), derived: false }];
  });
}

interface Known extends Omit<ContractSources, 'files' | 'surface'> {
  readonly served: ReadonlyMap<string, ReadonlySet<string>>;
}

function providerOf(fact: ContractFact, path: WorkspacePath, { procedures, served, serviceOf, services }: Known): string {
  const declared = services.find(({ contracts }) => contracts.some(one => one === path || one === fact.id));
  if (declared !== undefined) return declared.name;
  if (fact.service !== '') return services.find(({ name }) => name === fact.service)?.name ?? fact.service;
  if (fact.type === 'proto') return rpcServer(fact, procedures) || nameOf(fact, path, services) || serviceOf(path);
  const owner = serviceOf(path);
  const isWorkspace = services.some(({ name, paths }) => name === owner && paths[0] === '');
  if (owner !== '' && !isWorkspace) return owner;
  return byOperations(fact, served) || nameOf(fact, path, services) || (services.length === 1 ? owner : '');
}

/** The only service that answers the procedures of a file. */
function rpcServer(fact: ContractFact, procedures: Procedures): string {
  const owners = new Set(fact.operations.map(({ path }) => procedures.ownerOf(path.split('/')[1] ?? '')));
  const [owner = ''] = owners;
  return owners.size === 1 ? owner : '';
}

/** The only service that serves at least half of the operations. */
function byOperations({ basePaths, operations }: ContractFact, served: Known['served']): string {
  const counts = new Map<string, number>();
  for (const { method, path } of operations) {
    const names = new Set(spellings(path, basePaths).flatMap(one => [...(served.get(`${method} ${one}`) ?? [])]));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [best, second] = [...counts].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] * 2 >= operations.length && best[1] > (second?.[1] ?? 0) ? best[0] : '';
}

function servedPaths({ routes }: CodeSurface, serviceOf: (path: WorkspacePath) => string): Known['served'] {
  const served = new Map<string, Set<string>>();
  for (const { method, path, place } of routes) {
    const service = serviceOf(place.file);
    if (service === '') continue;
    const key = `${method} ${plainPath(path)}`;
    served.set(key, (served.get(key) ?? new Set()).add(service));
  }
  return served;
}

/** A contract that is called as a service: `orders.yaml`, `contracts/orders/openapi.yaml`. */
function nameOf(fact: ContractFact, path: WorkspacePath, services: readonly Service[]): string {
  const file = basename(path)
    .replace(/\.[^.]+$/, '')
    .replace(/[._-]?(?:openapi|swagger|asyncapi|api|contract|spec|schema)\b/gi, '');
  const procedures = fact.type === 'proto' ? fact.operations.map(({ path: one }) => one.split('/')[1]?.split('.').pop() ?? '') : [];
  const words = [file, basename(dirname(path)), ...procedures].filter(word => word.length > 1);
  return services.find(({ aliases, name }) => words.some(word => [name, ...aliases].some(one => alike(one, word))))?.name ?? '';
}
