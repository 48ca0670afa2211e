import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import type { FileResolution } from '../../server/src/model/resolution';
import { resolverFile, testTurn } from '../helpers/resolveFixture';
import { cold, random, spelled } from '../helpers/resolveRuns';

type Pick = <T>(items: readonly T[]) => T;

const NAMES = ['alpha', 'beta', 'gamma', 'getAlpha'];
const CLASSES = ['One', 'Two', 'Three'];
const PACKAGES = ['p', 'p.q', 'r'];
const PATHS = ['p/A.java', 'p/B.java', 'p/q/C.java', 'r/D.java', 'p/A.kt', 'p/q/E.kt', 'r/F.kt'];

function java(path: string, pick: Pick): string {
  const members = [
    () => `  ${pick(CLASSES)} ${pick(NAMES)}() { return ${pick(NAMES)}(); }`,
    () => `  static ${pick(CLASSES)} ${pick(NAMES)}(${pick(CLASSES)} x) { x.${pick(NAMES)}().${pick(NAMES)}(); return null; }`,
    () => `  ${pick(CLASSES)} ${pick(NAMES)} = new ${pick(CLASSES)}();`,
    () => `  void ${pick(NAMES)}(int n) { ${pick(CLASSES)}.${pick(NAMES)}(null); this.${pick(NAMES)}.${pick(NAMES)}(); ${pick(NAMES)}(1); }`,
    () => `  class ${pick(CLASSES)} { void ${pick(NAMES)}() { ${pick(NAMES)}(); } }`,
    () => `  void ${pick(NAMES)}(java.util.List<${pick(CLASSES)}> all) { all.forEach(x -> x.${pick(NAMES)}()); AKt.${pick(NAMES)}(); }`,
  ];
  const types = [
    () => `class ${pick(CLASSES)} extends ${pick(CLASSES)} {\n${lines(members, pick)}\n}`,
    () => `class ${pick(CLASSES)} implements ${pick(CLASSES)} {\n${lines(members, pick)}\n}`,
    () => `interface ${pick(CLASSES)} { ${pick(CLASSES)} ${pick(NAMES)}(); }`,
  ];
  const imports = [
    () => `import ${pick(PACKAGES)}.${pick(CLASSES)};`,
    () => `import ${pick(PACKAGES)}.*;`,
    () => `import static ${pick(PACKAGES)}.${pick(CLASSES)}.${pick(NAMES)};`,
    () => `import static ${pick(PACKAGES)}.${pick(CLASSES)}.*;`,
  ];
  return `package ${packageOf(path)};\n${lines(imports, pick)}\n${lines(types, pick)}\n`;
}

function kotlin(path: string, pick: Pick): string {
  const members = [
    () => `  fun ${pick(NAMES)}() = ${pick(NAMES)}()`,
    () => `  val ${pick(NAMES)} = ${pick(CLASSES)}()`,
    () => `  fun ${pick(NAMES)}(x: ${pick(CLASSES)}) {\n    x.${pick(NAMES)}().${pick(NAMES)}()\n    x.apply { ${pick(NAMES)}() }\n  }`,
    () => `  companion object {\n    fun ${pick(NAMES)}() = ${pick(CLASSES)}()\n  }`,
    () => `  fun ${pick(NAMES)}() = ${pick(CLASSES)}.${pick(NAMES)}()`,
  ];
  const items = [
    () => `open class ${pick(CLASSES)} : ${pick(CLASSES)}() {\n${lines(members, pick)}\n}`,
    () => `interface ${pick(CLASSES)} {\n${lines(members, pick)}\n}`,
    () => `fun ${pick(CLASSES)}.${pick(NAMES)}() = ${pick(NAMES)}()`,
    () => `fun ${pick(NAMES)}() = ${pick(CLASSES)}().${pick(NAMES)}()`,
    () => `val ${pick(NAMES)} = listOf(${pick(CLASSES)}()).map { it.${pick(NAMES)}() }`,
    () => `object ${pick(CLASSES)} {\n${lines(members, pick)}\n}`,
  ];
  const imports = [() => `import ${pick(PACKAGES)}.${pick([...CLASSES, ...NAMES])}`, () => `import ${pick(PACKAGES)}.*`];
  return `package ${packageOf(path)}\n${lines(imports, pick)}\n${lines(items, pick)}\n`;
}

function packageOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')).replaceAll('/', '.');
}

function lines(kinds: readonly (() => string)[], pick: Pick): string {
  return Array.from({ length: pick([0, 1, 2, 3]) }, () => pick(kinds)()).join('\n');
}

test('any sequence of edits ends where a cold run of the final state does: Java and Kotlin', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const next = random(seed);
    const pick: Pick = items => items[Math.floor(next() * items.length)] as (typeof items)[number];
    const ids = new Interner<NodeHandle>();
    const resolver = new Resolver({ ids });
    const files = new Map<string, string>();
    const state = new Map<string, FileResolution>();
    for (let step = 0; step < 14; step++) {
      const path = pick(PATHS);
      const isRemoval = files.has(path) && next() < 0.2;
      if (isRemoval) files.delete(path);
      else files.set(path, (path.endsWith('.java') ? java : kotlin)(path, pick));
      const upserts = isRemoval ? [] : [await resolverFile(path, files.get(path) ?? '')];
      const result = await resolver.update({ upserts, removed: isRemoval ? [path] : [] }, testTurn(), neverCancelled);
      if (isRemoval) state.delete(path);
      for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
      expect(spelled(ids, state.values()), `seed ${seed} step ${step}`).toEqual(await cold(files));
    }
  }
});
