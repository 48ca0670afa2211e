/**
 * Turns what the evaluator says into the sites of one file: calls, instantiations, types, decorators, reads, imports, heritage, overrides, tests.
 * A site without candidates is counted for its owner as external or unresolved.
 */
import { NONE, REFERENCE_KINDS, type ReferenceKind } from '../../../model/facts';
import type { FileResolution } from '../../../model/resolution';
import { bodyOf } from '../dependencies';
import type { Evaluator } from '../evaluate/evaluator';
import type { FileState } from '../fileState';
import type { Guesses } from '../guesses';
import type { PreciseFile } from '../precise/preciseFile';
import { writeOtherReads, writePrecise } from '../precise/preciseSites';
import { callSite, jsxSite, newSite } from './callableSites';
import { writeHeritage } from './heritageSites';
import { writeImports } from './importSites';
import type { Outcome, Site } from './reached';
import type { SiteContext } from './siteContext';
import { SiteWriter } from './siteWriter';
import { TYPE_SITES, typeSite } from './typeSites';
import { defaultSite, readSite, variableSite } from './variableSites';

type Handler = (context: SiteContext, site: Site) => Outcome;

const CALLS_AND_READS: Readonly<Partial<Record<ReferenceKind, Handler>>> = {
  call: callSite,
  new: newSite,
  jsx: jsxSite,
  read: readSite,
  write: (context, site) => variableSite(context, site, 'ASSIGNS_TO'),
};

const HANDLERS = REFERENCE_KINDS.map((kind): Handler => {
  const row = TYPE_SITES[kind];
  return row === undefined ? (CALLS_AND_READS[kind] ?? readSite) : (context, site) => typeSite(context, site, row);
});

/** Resolves every site of a file; what `precise` knows of it goes before our own rules. */
export function resolveSites(ev: Evaluator, file: FileState, guesses: Guesses, precise?: PreciseFile): FileResolution {
  const { references, symbols } = file.facts;
  const context: SiteContext = {
    ev,
    file,
    guesses,
    writer: new SiteWriter(node => ev.project.idText(node)),
    unresolved: new Int32Array(symbols.count + 1),
    external: new Int32Array(symbols.count + 1),
    precise,
  };
  const moduleUnit = ev.dependencies.unit(file.id, -1);
  ev.inBody(moduleUnit, () => writeImports(context));
  const { dependencies } = ev;
  const before = dependencies.current;
  for (let row = 0; row < references.count; row++) {
    const owner = references.owner[row] ?? NONE;
    dependencies.current = bodyOf(ev.unitOfSymbol(file, owner));
    const outcome = writePrecise(context, row, owner) ?? siteOf(context, row, owner);
    if (outcome === 'resolved' || outcome === 'ignored') continue;
    const counted = owner === NONE ? symbols.count : owner;
    const counts = outcome === 'unresolved' ? context.unresolved : context.external;
    counts[counted] = (counts[counted] ?? 0) + 1;
  }
  dependencies.current = before;
  writeHeritage(context);
  writeOtherReads(context);
  return {
    path: file.path,
    file: file.fileNode,
    symbolNodes: file.symbolNodes,
    sites: context.writer.finish(),
    unresolved: context.unresolved,
    external: context.external,
  };
}

function siteOf(context: SiteContext, row: number, owner: number): Outcome {
  const { file } = context;
  const { references } = file.facts;
  const handler = HANDLERS[references.kind[row] ?? 0] ?? readSite;
  const expression = references.expression[row] ?? NONE;
  const site: Site = {
    expression,
    from: owner === NONE ? file.fileNode : (file.symbolNodes[owner] ?? file.fileNode),
    line: references.line[row] ?? 0,
    column: references.column[row] ?? 0,
    length: file.text(references.name[row] ?? 0).length,
  };
  if (file.isInDefault(expression)) defaultSite(context, site);
  return handler(context, site);
}
