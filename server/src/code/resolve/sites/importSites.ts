import { sourceCode } from '../../../model/evidence';
import { IMPORT_KINDS, NONE } from '../../../model/facts';
import { relationCode } from '../../../model/relations';
import type { ModuleRef } from '../modules/moduleResolver';
import type { SiteContext } from './siteContext';

/** Confidence of a dependency that only a doc comment names. */
const IN_COMMENT = 0.45;

const NAMED = IMPORT_KINDS.indexOf('named');

/** IMPORTS from the file to each file it names; packages from outside become `external::name`. */
export function writeImports(context: SiteContext): void {
  const { ev, file, writer } = context;
  const { imports, symbols } = file.facts;
  for (let row = 0; row < imports.count; row++) {
    const specifier = file.text(imports.specifier[row] ?? 0);
    const target = ev.modules.ofImport(file, row);
    const targets = file.family === 'python' && imports.kind[row] === NAMED ? pythonTargets(context, row, target) : fileNode(context, target);
    if (targets.length === 0) {
      const counts = target === 'missing' ? context.unresolved : context.external;
      counts[symbols.count] = (counts[symbols.count] ?? 0) + 1;
      if (target !== 'external') continue;
      targets.push(ev.project.externalNode(packageOf(specifier, file.family === 'python')));
    }
    for (const node of targets) {
      const isComment = file.facts.language === 'javascript' && imports.typeOnly[row] === 1;
      const confidence = isComment ? IN_COMMENT : target === 'external' ? 1 : 0.95;
      writer.add(
        relationCode.IMPORTS,
        file.fileNode,
        imports.line[row] ?? 0,
        imports.column[row] ?? 0,
        Math.max(1, file.text(imports.importedName[row] ?? 0).length),
        [{ node, confidence, source: sourceCode.import }],
      );
    }
  }
}

function fileNode(context: SiteContext, target: ModuleRef): number[] {
  if (target === 'external' || target === 'missing' || 'folder' in target) return [];
  return [context.ev.modules.nodeOf(target.file)];
}

/** `from package import name`: the submodule when the name is one and the package does not define it, else the package. */
function pythonTargets(context: SiteContext, row: number, target: ModuleRef): number[] {
  const { ev, file } = context;
  if (target === 'external' || target === 'missing') return [];
  const name = file.text(file.facts.imports.importedName[row] ?? 0);
  if ('folder' in target) {
    const found = ev.modules.inFolder(target.folder, name);
    return found === undefined ? [] : fileNode(context, found);
  }
  const through = ev.project.file(target.file);
  const found = through === undefined ? undefined : ev.modules.submodule(through, name);
  if (through !== undefined && found !== undefined) {
    ev.dependencies.consult(ev.dependencies.unit(through.id, ev.nameOf(name)));
    if (through.firstBinding(0, ev.nameOf(name)) === NONE) return fileNode(context, found);
  }
  return fileNode(context, target);
}

/** Package part of a specifier: `@scope/name`, `name`, `node:fs`; top module in Python. */
function packageOf(specifier: string, isPython: boolean): string {
  if (isPython) return specifier.split('.')[0] ?? specifier;
  if (specifier.startsWith('node:')) return specifier;
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
