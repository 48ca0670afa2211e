/** Door: from the digests of files and the graph to what the code offers and uses. */
import type { WorkspacePath } from '../../base/path';
import type { Steps } from '../../base/steps';
import type { GraphView } from '../../code/graph/graphView';
import { languageRow } from '../../model/languages';
import type { CodeSurface } from '../surface';
import { RouteCollector } from './collector';
import { Configuration } from './configuration';
import type { LanguageTables } from './framework';
import { BINDERS, HANDLERS, READERS, TABLES } from './languages/tables';
import { type FileUnit, Units } from './units';
import { readUses } from './uses';

export interface SurfaceSources {
  readonly graph: GraphView;
  /** Digests of files (`FileFacts.digest`) by path; files without one may be left out. */
  readonly digests: Iterable<readonly [path: WorkspacePath, digest: string]>;
  /** Texts of configuration: `application.yml`, `application.properties`, `web.xml`. */
  readonly configurations: ReadonlyMap<WorkspacePath, string>;
}

/** Files of tests are left out. Rows are in order of path and line. */
export function* codeSurface({ graph, digests, configurations }: SurfaceSources): Steps<CodeSurface> {
  const units = new Units(graph);
  for (const [path, digest] of digests) {
    units.add(path, digest);
    yield undefined;
  }
  const tablesOf = (file: FileUnit): LanguageTables | undefined => TABLES[languageRow(file.language).family];
  const collector = new RouteCollector(units, tablesOf, new Configuration(configurations), BINDERS, file => HANDLERS[languageRow(file.language).family]);
  yield* collector.collect(READERS);
  yield* readUses(collector, tablesOf);
  const { calls, events, hosted, routes, rpcs, skipped, starts, stores } = collector;
  return { routes, calls, events, rpcs, stores, starts, skipped, hosted };
}
