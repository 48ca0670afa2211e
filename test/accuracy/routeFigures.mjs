/** What endpoints read from code come to, beside the routes that a framework told. */

/** Parameters are equal whatever their spelling, as are slashes at the end. */
export function plainPath(path) {
  return path
    .replace(/<[^>]*>|\{[^}]*\}|:[A-Za-z_]\w*/g, '{}')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '');
}

/**
 * `told` routes were read from code, `found` of the framework's `routes` are among them, `right` of the told ones are the framework's. A handler is judged where
 * the framework knows its function. `ANY` stands for every method: frameworks that do not route by method tell no other.
 */
export function routeFigures(truth, endpoints) {
  const isOutside = ({ method, path }) =>
    truth.outside.some(row => {
      const [of, ...rest] = row.split(' ');
      const where = rest.join(' ');
      const covers = where.endsWith('*') ? path.startsWith(where.slice(0, -1)) : plainPath(where) === plainPath(path);
      return covers && (of === 'ANY' || method === 'ANY' || of === method);
    });
  const fits = ([method, path], endpoint) =>
    plainPath(path) === plainPath(endpoint.path) && (method === 'ANY' || endpoint.method === 'ANY' || method === endpoint.method);
  const told = endpoints.filter(endpoint => truth.routes.some(route => fits(route, endpoint)) || !isOutside(endpoint));
  const rightOnes = told.filter(endpoint => truth.routes.some(route => fits(route, endpoint)));
  const foundOnes = truth.routes.filter(route => told.some(endpoint => fits(route, endpoint)));
  const judged = foundOnes.filter(([, , handler]) => handler !== '' && !handler.endsWith('::'));
  const isRight = route => told.some(endpoint => fits(route, endpoint) && isSameHandler(route[2], endpoint.handler));
  return {
    routes: truth.routes.length,
    found: foundOnes.length,
    told: told.length,
    right: rightOnes.length,
    handlers: judged.length,
    rightHandlers: judged.filter(isRight).length,
    missing: truth.routes.filter(route => !foundOnes.includes(route)).map(route => route.join(' ')),
    wrong: told.filter(endpoint => !rightOnes.includes(endpoint)).map(({ method, path, handler }) => `${method} ${path} ${handler}`),
    wrongHandlers: judged.filter(route => !isRight(route)).map(route => route.join(' ')),
  };
}

/** `file::function`, or a function without its file; a class stands for its methods. */
function isSameHandler(truth, handler) {
  const [file, name] = truth.includes('::') ? truth.split('::') : [undefined, truth];
  const [path, ...names] = handler.replace(/#\d+/g, '').split('::');
  return (file === undefined || file === path) && names.includes(name);
}
