/** Random small programs whose names clash as often as they can: for tests that compare runs of the resolver. */

/** One of several, as a seed has it. */
export type Pick = <T>(items: readonly T[]) => T;

/** Names of functions and members. */
export const NAMES = ['alpha', 'beta', 'gamma', 'delta'];
const CLASSES = ['One', 'Two', 'Three'];
/** Paths that the programs import from each other. */
export const TS_FILES = ['a.ts', 'b.ts', 'c.ts', 'lib/index.ts', 'lib/d.ts'];
/** Some below a configuration of their own. */
export const GLOBAL_FILES = ['a.ts', 'b.ts', 'c.d.ts', 'lib/index.ts', 'lib/d.d.ts'];
/** The same in Python. */
export const PY_FILES = ['a.py', 'b.py', 'pkg/__init__.py', 'pkg/c.py', 'pkg/d.py'];

/** A file of random declarations, imports and calls. */
export function typescript(path: string, pick: Pick): string {
  const modules = path.startsWith('lib/') ? ['../a', '../b', '../c', './index', './d'] : ['./a', './b', './c', './lib', './lib/d'];
  const lines = [
    () => `import { ${pick(NAMES)}, ${pick(CLASSES)} } from '${pick(modules)}';`,
    () => `import * as ns from '${pick(modules)}';\nns.${pick(NAMES)}();`,
    () => `export * from '${pick(modules)}';`,
    () => `export { ${pick(NAMES)} as ${pick(NAMES)} } from '${pick(modules)}';`,
    () => `export function ${pick(NAMES)}() { return ${pick(NAMES)}(); }`,
    () => `export function ${pick(NAMES)}() { return new ${pick(CLASSES)}(); }`,
    () => `export const ${pick(NAMES)} = { run() { ${pick(NAMES)}().${pick(NAMES)}(); } };`,
    () => `export class ${pick(CLASSES)} extends ${pick(CLASSES)} { ${pick(NAMES)}() { return this.${pick(NAMES)}(); } }`,
    () =>
      `export class ${pick(CLASSES)} { field = ${pick(NAMES)}(); ${pick(NAMES)}(x: ${pick(CLASSES)}) { x.${pick(NAMES)}(); this.field.${pick(NAMES)}(); } }`,
    () => `export interface ${pick(CLASSES)} { ${pick(NAMES)}(): ${pick(CLASSES)}; ${pick(NAMES)}: () => ${pick(CLASSES)}; }`,
    () => `export function ${pick(NAMES)}(x: ${pick(CLASSES)}) { return x.${pick(NAMES)}().${pick(NAMES)}(); }`,
    () => `${pick(NAMES)}.${pick(NAMES)} = function () { return this.${pick(NAMES)}(); };`,
    () => `${pick(CLASSES)}${pick(['', '.prototype'])}.${pick(NAMES)} = ${pick([...NAMES, ...CLASSES])};\nnew ${pick(CLASSES)}().${pick(NAMES)}();`,
    () => `${pick(NAMES)}().${pick(NAMES)}();`,
    () => `const list = []; list.push(${pick(NAMES)}); for (const each of list) each().${pick(NAMES)}();`,
    () => `exports.${pick(NAMES)} = function () { return exports.${pick(NAMES)}().${pick(NAMES)}(); };`,
    () => `module.exports = exports = ${pick([...NAMES, ...CLASSES])};`,
    () => `(unknown as any).${pick(NAMES)}();`,
    () => `[${pick(NAMES)}()].map(x => x.${pick(NAMES)}());`,
  ];
  return block(lines, pick);
}

/** Files that declare global names, as modules, as scripts and in parts of one namespace. */
export function typescriptGlobals(path: string, pick: Pick): string {
  const lines = [
    () => `declare global { function ${pick(NAMES)}(): ${pick(CLASSES)}; interface ${pick(CLASSES)} { ${pick(NAMES)}(): ${pick(CLASSES)} } }`,
    () => `declare global { var ${pick(NAMES)}: ${pick(CLASSES)}; interface Array<T> { ${pick(NAMES)}(): T } }`,
    () =>
      `declare global { interface Window { ${pick(NAMES)}: ${pick(CLASSES)} } namespace Express { interface Request { ${pick(NAMES)}(): ${pick(CLASSES)} } } }`,
    () => `declare module 'express' { interface Request { ${pick(NAMES)}(): ${pick(CLASSES)} } }`,
    () => `declare function ${pick(NAMES)}(): ${pick(CLASSES)};\ninterface ${pick(CLASSES)} { ${pick(NAMES)}(): ${pick(CLASSES)} }`,
    () => `interface ${pick(CLASSES)} extends ${pick(CLASSES)} { ${pick(NAMES)}(): ${pick(CLASSES)} }`,
    () => `class ${pick(CLASSES)} extends ${pick(CLASSES)} { ${pick(NAMES)}() { return this.${pick(NAMES)}(); } }`,
    () => `type ${pick(CLASSES)} = ${pick(CLASSES)} | ${pick(CLASSES)};`,
    () => `namespace Space { export function ${pick(NAMES)}() { return ${pick(NAMES)}(); } function ${pick(NAMES)}() {} }`,
    () => `namespace Space { export interface ${pick(CLASSES)} { ${pick(NAMES)}(): ${pick(CLASSES)} } }`,
    () => `Space.${pick(NAMES)}();\nwindow.${pick(NAMES)}.${pick(NAMES)}();`,
    () =>
      `import { Request } from 'express';\nexport function handle(x: Request, y: Space.${pick(CLASSES)}) { x.${pick(NAMES)}().${pick(NAMES)}(); y.${pick(NAMES)}(); }`,
    () => `export function use(x: ${pick(CLASSES)}) { x.${pick(NAMES)}().${pick(NAMES)}(); [x].${pick(NAMES)}(); }`,
    () => `${pick(NAMES)}().${pick(NAMES)}();`,
    () => `globalThis.${pick(NAMES)}();\nnew ${pick(CLASSES)}();`,
  ];
  return block(path.endsWith('.d.ts') ? lines.slice(4, 8) : lines, pick);
}

/** The same in Python. */
export function python(_path: string, pick: Pick): string {
  const modules = ['a', 'b', 'pkg', 'pkg.c', 'pkg.d'];
  const lines = [
    () => `from ${pick(modules)} import ${pick(NAMES)}, ${pick(CLASSES)}`,
    () => `from ${pick(modules)} import *`,
    () => `import ${pick(modules)}\npkg.c.${pick(NAMES)}()`,
    () => `def ${pick(NAMES)}():\n    return ${pick(NAMES)}()`,
    () => `def ${pick(NAMES)}():\n    return ${pick(CLASSES)}()`,
    () => `class ${pick(CLASSES)}(${pick(CLASSES)}):\n    def ${pick(NAMES)}(self):\n        return self.${pick(NAMES)}()`,
    () =>
      `class ${pick(CLASSES)}:\n    def __init__(self, x: ${pick(CLASSES)}):\n        self.field = x\n    def ${pick(NAMES)}(self):\n        self.field.${pick(NAMES)}()`,
    () => `${pick(CLASSES)}.${pick(NAMES)} = ${pick([...NAMES, ...CLASSES])}\n${pick(CLASSES)}().${pick(NAMES)}()`,
    () => `${pick(NAMES)}().${pick(NAMES)}()`,
    () => `${pick(NAMES)} = [${pick(NAMES)}, ${pick(CLASSES)}]\nfor each in ${pick(NAMES)}:\n    each().${pick(NAMES)}()`,
    () => `@${pick(NAMES)}\ndef ${pick(NAMES)}():\n    return 1\n${pick(NAMES)}.${pick(NAMES)}()`,
    () => `class ${pick(CLASSES)}(${pick(CLASSES)}):\n    def beta(self, x${pick(['', ': One', ': Two'])}):\n        x.${pick(NAMES)}()`,
    () => `def held(x):\n    if isinstance(x.y, ${pick(CLASSES)}):\n        x.y.${pick(NAMES)}()`,
    () => `def free(x):\n    x.${pick(NAMES)}()`,
    () => `def taken(x):\n    x.${pick(NAMES)}()\n    x.${pick(NAMES)}()`,
  ];
  return block(lines, pick);
}

function block(lines: readonly (() => string)[], pick: Pick): string {
  const count = pick([1, 2, 4, 6, 8]);
  return `${Array.from({ length: count }, () => pick(lines)()).join('\n')}\n`;
}
