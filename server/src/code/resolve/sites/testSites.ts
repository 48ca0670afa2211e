import { relationCode } from '../../../model/relations';
import type { SiteContext } from './siteContext';
import type { Candidate } from './siteWriter';

/** What a test calls that is no test itself, it tests. */
export function writeTests(context: SiteContext, site: { from: number; line: number; column: number; length: number }, candidates: readonly Candidate[]): void {
  const { ev, writer } = context;
  const subjects = candidates.filter(candidate => ev.project.ownerOf(candidate.node)?.isTest === false);
  writer.add(relationCode.TESTS, site.from, site.line, site.column, site.length, subjects);
}
