/**
 * Turns what the evaluator says into the sites of one file: calls, instantiations, types, decorators, reads, imports, heritage, overrides, tests.
 * A site without candidates is counted for its owner as external or unresolved.
 */

import { NO_TEXT, NONE, REFERENCE_KINDS, type ReferenceKind, type ReferenceRow, referenceRow, type SymbolRow } from '../../../model/facts';
import { nodeColumn, nodeHandle } from '../../../model/ids';
import type { FileResolution } from '../../../model/resolution';
import { bodyOf } from '../dependencies';
import type { Evaluator } from '../evaluate/evaluator';
import type { FileState } from '../fileState';
import type { Guesses } from '../guesses';
import { NO_NAME } from '../numbers';
import type { PreciseFile } from '../precise/preciseFile';
import { writeOtherReads, writePrecise } from '../precise/preciseSites';
import { callSite, jsxSite, newSite } from './callableSites';
import { writeHeritage } from './heritageSites';
import { writeImports } from './importSites';
import { writeInjected } from './injectedSites';
import { exportSite } from './listedNames';
import { type MissedSite, MissedSites } from './missedSites';
import type { Outcome, Site } from './reached';
import type { SiteContext } from './siteContext';
import { SiteWriter } from './siteWriter';
import { TYPE_SITES, typeSite } from './typeSites';
import { dataSite, defaultSite, implicitSite, keywordSite, qualifierSite, readSite, writeSite } from './variableSites';

type Handler = (context: SiteContext, site: Site) => Outcome;

const CALLS_AND_READS: Readonly<Partial<Record<ReferenceKind, Handler>>> = {
  call: callSite,
  new: newSite,
  jsx: jsxSite,
  read: readSite,
  object: dataSite,
  export: exportSite,
  qualifier: qualifierSite,
  keyword: keywordSite,
  implicit: implicitSite,
  write: writeSite,
};

const HANDLERS = REFERENCE_KINDS.map((kind): Handler => {
  const row = TYPE_SITES[kind];
  return row === undefined ? (CALLS_AND_READS[kind] ?? readSite) : (context, site) => typeSite(context, site, row);
});

/** What resolving a file may be given beside the state of the project. */
export interface SiteOptions {
  /** What a precise index knows of the file; it goes before our own rules. */
  readonly precise?: PreciseFile | undefined;
  /** Hears of each site without candidates. */
  readonly onMissed?: ((site: MissedSite) => void) | undefined;
}

/** Resolves every site of a file. */
export function resolveSites(ev: Evaluator, file: FileState, guesses: Guesses, { precise, onMissed }: SiteOptions): FileResolution {
  const { references, symbols } = file.facts;
  const context: SiteContext = {
    ev,
    file,
    guesses,
    writer: new SiteWriter(node => ev.project.idText(node)),
    missed: new MissedSites(file.path, symbols.count, onMissed),
    precise,
  };
  const moduleUnit = ev.dependencies.unit(file.id, NO_NAME);
  ev.inBody(moduleUnit, () => writeImports(context));
  const { dependencies } = ev;
  const before = dependencies.current;
  for (let row = referenceRow(0); row < references.count; row++) {
    const owner = references.owner[row] ?? NONE;
    dependencies.current = bodyOf(ev.unitOfSymbol(file, owner));
    const site = siteAt(file, row, owner);
    const outcome = writePrecise(context, row, owner) ?? siteOf(context, row, site);
    if (outcome === 'resolved' || outcome === 'ignored') continue;
    context.missed.count(outcome, owner, site);
  }
  dependencies.current = before;
  writeHeritage(context);
  writeInjected(context);
  writeOtherReads(context);
  return {
    path: file.path,
    file: nodeHandle(file.fileNode),
    symbolNodes: nodeColumn(file.symbolNodes),
    sites: context.writer.finish(),
    unresolved: context.missed.unresolved,
    external: context.missed.external,
  };
}

function siteOf(context: SiteContext, row: ReferenceRow, site: Site): Outcome {
  const { file } = context;
  const handler = HANDLERS[file.facts.references.kind[row] ?? 0] ?? readSite;
  if (file.isInDefault(site.expression)) defaultSite(context, site);
  return handler(context, site);
}

function siteAt(file: FileState, row: ReferenceRow, owner: SymbolRow): Site {
  const { references } = file.facts;
  return {
    expression: references.expression[row] ?? NONE,
    from: owner === NONE ? file.fileNode : (file.symbolNodes[owner] ?? file.fileNode),
    line: references.line[row] ?? 0,
    column: references.column[row] ?? 0,
    length: file.text(references.name[row] ?? NO_TEXT).length,
  };
}
