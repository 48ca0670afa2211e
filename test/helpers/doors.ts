import { impactFrom } from '../../client/src/views/impact';
import type { Answer, FeatureName } from '../../server/src/features/catalogue/catalogue';
import { FACT_CONFIDENCE } from '../../server/src/model/evidence';
import { impactMarkdown } from '../../server/src/transports/cli/impactMarkdown';

/** How a test asks a workspace what the editor, the command line and agents ask. */
export interface Doors {
  ask<Name extends FeatureName>(name: Name, params: object): Promise<Answer<Name>>;
  /** Summary of the answer of a tool. */
  summary(tool: string, input: Readonly<Record<string, unknown>>): Promise<string>;
}

/** More rows than any symbol of a test has. */
const ALL = 100_000;

interface Comparison {
  readonly door: string;
  readonly found: unknown;
  readonly expected: unknown;
}

/**
 * Where a door shows a number for a symbol that is not the number of its code lens, or opens another number of rows; empty when all agree.
 * `hotspots` are the lists of hotspots of the report and of the structure view.
 */
export async function doorDifferences(doors: Doors, id: string, hotspots: Hotspots, isTest = false): Promise<string[]> {
  const lens = await doors.ask('lensCounts', { id });
  if (lens === null) return [`${id}: no counts`];
  const full = await doors.ask('impact', { target: id, limit: ALL });
  const { counts } = full;
  const [users, dependents, tests, maybe] = [lens.callers, counts.direct + counts.transitive, lens.tests, counts.maybe];
  const compared: Comparison[] = [
    { door: 'users of the impact', found: counts.direct, expected: users },
    { door: 'tests of the impact', found: counts.directTests + counts.transitiveTests, expected: tests },
    { door: 'files of the impact', found: counts.files, expected: lens.files },
    { door: 'rows of users', found: full.directDependents.length, expected: users },
    { door: 'rows of dependents', found: full.directDependents.length + full.transitiveDependents.length, expected: dependents },
    { door: 'rows of tests', found: full.directTests.length + full.transitiveTests.length, expected: tests },
    { door: 'rows of files', found: full.impactedFiles.length, expected: lens.files },
    { door: 'rows of possible dependents', found: full.maybe.length, expected: maybe },
  ];
  const differs = (door: string, found: unknown, expected: unknown): void => void compared.push({ door, found, expected });
  const row = lens.item;
  const peek = await doors.ask('impact', { target: id, limit: ALL, maxDepth: 1 });
  differs('rows of the peek at users', peek.directDependents.length, users);
  const { places } = await doors.ask('references', { id });
  differs('rows of references', [places.filter(place => !place.possible).length, places.length], [lens.refs, lens.refs + lens.maybe]);
  differs('distinct rows of references', new Set(places.map(({ line, path }) => `${path}:${line}`)).size, places.length);
  const tree = impactFrom({ id, name: row.name, folder: undefined as never }, full, []);
  differs('rows of the tree', [tree.dependents.length, tree.tests.length, tree.maybe.length], [dependents, tests, maybe]);
  differs('counts of the tree', [tree.counts.dependents, tree.counts.files, tree.counts.tests, tree.counts.maybe], [dependents, lens.files, tests, maybe]);
  const isUsed = dependents + tests > 0;
  if (isUsed) {
    const inFiles = `${counted(dependents, 'dependent')} in ${counted(lens.files, 'file')}, ${tests === 0 ? 'no tests' : counted(tests, 'test')}`;
    differs('the comment on a pull request', part(impactMarkdown(full), inFiles), inFiles);
  }
  if (dependents + maybe + tests > 0) {
    const scene = await doors.ask('graphScene', { start: 'impact', target: id, groupBy: 'folder' });
    const said = `${counted(dependents, 'dependent')} in ${counted(lens.files, 'file')}, ${counted(tests, 'test')}`;
    differs('the graph', part(scene.summary, said), said);
  }
  const told = await doors.summary('impact_analyze', { target: id });
  const [direct, indirect] = [counted(users, 'direct dependent'), `${counts.transitive} indirect`];
  const reached = isUsed ? `affects ${direct}, ${indirect}, in ${counted(lens.files, 'file')}; ${counted(tests, 'test')}` : '';
  differs('impact_analyze', part(told, reached), reached);
  const explained = await doors.summary('code_explain', { target: id });
  const explanation = [counted(users, 'user'), tests === 0 ? 'no tests' : counted(tests, 'test')];
  differs(
    'code_explain',
    explanation.map(each => part(explained, each)),
    explanation,
  );
  const page = await doors.ask('explain', { target: id, limit: ALL });
  differs('counts of the explanation', [page.counts.users, page.counts.tests], [users, tests]);
  const { uses } = page.counts;
  differs('rows of what it uses', page.dependencies.filter(({ confidence }) => confidence >= FACT_CONFIDENCE).length, uses);
  const focus = await doors.ask('graphScene', { start: 'focus', target: id });
  const around = `${counted(users, 'user')}, ${counted(tests, 'test')}; uses ${uses}`;
  differs('the graph in focus', part(focus.summary, around), around);
  differs('tests of the explanation', page.tests.length, page.counts.tests);
  // Of what stands in a test, tests are listed too.
  if (!isTest) differs('rows of the explanation', page.dependents.filter(({ confidence }) => confidence >= FACT_CONFIDENCE).length, users);
  const hover = await doors.ask('hover', { path: row.path, line: row.nameLine, column: row.nameColumn });
  if (hover?.id === id && isUsed) {
    const text = hover.lines.join('\n').replace(/\[([^\]]*)\]\(lattice:\w+\)/g, '$1');
    const said = `${counted(users, 'user')} · ${counted(dependents, 'dependent')}${dependents === 0 ? '' : ` in ${counted(lens.files, 'file')}`} · uses ${uses}`;
    differs('the hover', part(text, said), said);
    if (tests > 0) differs('tests of the hover', part(text, `, ${counted(tests, 'test')}`), `, ${counted(tests, 'test')}`);
  }
  const spot = hotspots.report.find(each => each.id === id);
  if (spot !== undefined) differs('the report', [spot.callers, spot.dependents, spot.tests], [users, dependents, tests]);
  for (const list of [hotspots.structure, hotspots.health]) {
    const listed = list.find(each => each.id === id);
    if (listed !== undefined) differs('hotspots', listed.dependents, users);
  }
  return compared
    .filter(({ expected, found }) => JSON.stringify(found) !== JSON.stringify(expected))
    .map(({ door, expected, found }) => `${id}: ${door}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}

export interface Hotspots {
  readonly report: Answer<'report'>['hotspots'];
  readonly structure: Answer<'structure'>['hotspots'];
  readonly health: NonNullable<Answer<'health'>['graph']>['hotspots'];
}

export async function hotspotsOfAll(doors: Doors): Promise<Hotspots> {
  const { hotspots: report } = await doors.ask('report', {});
  const { hotspots: structure } = await doors.ask('structure', {});
  const { graph } = await doors.ask('health', {});
  return { report, structure, health: graph?.hotspots ?? [] };
}

/** The words that are looked for, if the text has them, and not within a longer number; the text otherwise. Some texts group digits, others do not. */
function part(text: string, words: string): string {
  const plain = text.replaceAll(/(?<=\d),(?=\d{3})/g, '');
  const at = plain.indexOf(words);
  return at === -1 || /\d/.test(plain[at - 1] ?? '') ? text : words;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
