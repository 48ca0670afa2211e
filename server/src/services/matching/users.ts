import type { WorkspacePath } from '../../base/path';
import type { StableId } from '../../model/ids';
import type { CodeReader } from '../codeReader';

/** Calls between code that belongs to no service and the service that makes use of it. */
const MAX_CALLERS_AWAY = 4;
const MAX_CALLERS = 64;

/** Names of functions that make an object, beside that of its type. */
const CONSTRUCTORS = /^(?:constructor|<init>|__init__|__construct|initialize|init)$/;

/** The type that a symbol makes an object of: nobody need call a constructor where a framework does. */
function madeBy(symbol: StableId): StableId | undefined {
  const parts = symbol.replace(/#\d+$/, '').split('::');
  const [type, name = ''] = parts.slice(-2);
  return parts.length > 2 && (name === type || CONSTRUCTORS.test(name)) ? parts.slice(0, -1).join('::') : undefined;
}

/** Names of the services that something in code is done for: the one whose code it is; of code that belongs to none, those that call it. */
export type UsersOf = (file: WorkspacePath, symbol: StableId | undefined) => readonly string[];

export function usersIn(code: CodeReader, serviceOf: (path: WorkspacePath) => string): UsersOf {
  return (file, symbol) => {
    const service = serviceOf(file);
    if (service !== '') return [service];
    if (symbol === undefined) return [];
    const users = new Set<string>();
    let next: readonly StableId[] = [symbol];
    const seen = new Set(next);
    for (let step = 0; step < MAX_CALLERS_AWAY; step++) {
      const callers: StableId[] = [];
      for (const one of next) {
        for (const { id, path } of code.callersOf(one)) {
          const user = serviceOf(path);
          if (user !== '') users.add(user);
          else if (!seen.has(id)) {
            seen.add(id);
            callers.push(id);
          }
        }
      }
      next = callers.slice(0, MAX_CALLERS);
    }
    const type = users.size === 0 ? madeBy(symbol) : undefined;
    if (type !== undefined) for (const path of code.usersOf(type)) if (serviceOf(path) !== '') users.add(serviceOf(path));
    return [...users];
  };
}
