/** Writes a deterministic workspace: TypeScript and Python files that import, call, inherit and override each other. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Small linear congruential generator, so that every run writes the same bytes. */
function randomFrom(seed) {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % limit;
  };
}

function typescriptFile(index, random) {
  const imports = index === 0 ? [] : [...new Set([random(index), random(index), random(index)])];
  const lines = imports.map(
    other => `import { Service${other}, compute${other} } from '${other % 20 === index % 20 ? './' : `../p${other % 20}/`}file${other}';`,
  );
  const base = imports[0];
  lines.push(
    '',
    `/** Service number ${index} of the generated workspace. */`,
    `export class Service${index}${base === undefined ? '' : ` extends Service${base}`} {`,
  );
  for (const other of imports) lines.push(`  private readonly service${other} = new Service${other}();`);
  for (let method = 0; method < 6; method++) {
    lines.push('', `  operation${method}(input: number): number {`, '    let total = input;');
    for (const other of imports) lines.push(`    total += this.service${other}.operation${random(6)}(total) + compute${other}(total);`);
    lines.push(`    return total > 10 ? this.operation${(method + 1) % 6}(total - ${method + 1}) : total;`, '  }');
  }
  lines.push(
    '}',
    '',
    `/** Computes the value ${index} from its parts. */`,
    `export function compute${index}(value: number): number {`,
    `  const service = new Service${index}();`,
    `  return service.operation${random(6)}(value) + helper${index}(value);`,
    '}',
    '',
  );
  lines.push(`function helper${index}(value: number): number {`, `  return value * ${index + 1};`, '}', '');
  return lines.join('\n');
}

function pythonFile(index, random) {
  const imports = index === 0 ? [] : [...new Set([random(index), random(index)])];
  const lines = [
    `"""Module ${index} of the generated workspace."""`,
    ...imports.map(other => `from generated.module${other} import Model${other}, load${other}`),
    '',
    '',
  ];
  lines.push(
    `class Model${index}${imports[0] === undefined ? '' : `(Model${imports[0]})`}:`,
    '    def __init__(self, name: str):',
    '        self.name = name',
    '',
  );
  for (let method = 0; method < 5; method++) {
    lines.push(`    def method${method}(self, depth: int) -> int:`, '        if depth > 3:', '            return depth');
    for (const other of imports) lines.push(`        depth += load${other}(self.name).method${random(5)}(depth + 1)`);
    lines.push(`        return self.method${(method + 1) % 5}(depth + 1)`, '');
  }
  lines.push('', `def load${index}(name: str) -> Model${index}:`, `    """Loads model ${index}."""`, `    return Model${index}(name)`, '');
  return lines.join('\n');
}

/** `files` TypeScript files and half as many Python files below `folder`. */
export function generate(folder, files) {
  const random = randomFrom(42);
  for (let index = 0; index < files; index++) {
    const place = join(folder, 'packages', `p${index % 20}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file${index}.ts`), typescriptFile(index, random));
  }
  mkdirSync(join(folder, 'generated'), { recursive: true });
  writeFileSync(join(folder, 'generated', '__init__.py'), '');
  for (let index = 0; index < files / 2; index++) writeFileSync(join(folder, 'generated', `module${index}.py`), pythonFile(index, random));
}
