import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { CodeGraph } from '../../server/src/code/graph/codeGraph';
import { isManifest, Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import { LANGUAGES } from '../../server/src/model/languages';
import { RELATIONS, type Relation } from '../../server/src/model/relations';
import { resolverFiles, testTurn } from '../helpers/resolveFixture';

const folder = join(import.meta.dirname, '..', 'fixtures', 'relations');
const page = join(import.meta.dirname, '..', '..', 'docs', 'relations.md');

/** Why a relation means nothing in a language, or is said by another. */
const ABSENT: Readonly<Record<string, Readonly<Partial<Record<Relation, string>>>>> = JSON.parse(readFileSync(join(folder, 'absent.json'), 'utf8')) as never;

function filesOf(language: string): Map<string, string> {
  const root = join(folder, language);
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return new Map(
    paths
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
      .map(path => [relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')]),
  );
}

/** An edge for each relation that the sample of a language has. */
async function relationsOf(language: string): Promise<Map<Relation, string>> {
  const files = filesOf(language);
  const ids = new Interner<NodeHandle>();
  const given = await resolverFiles(files);
  const manifests = new Map([...files].filter(([path]) => isManifest(path)));
  const { resolutions } = await new Resolver({ ids }).update({ upserts: given, removed: [], manifests }, testTurn(), neverCancelled);
  const facts = new Map(given.map(file => [file.path, file]));
  const view = new CodeGraph(ids).apply({
    upserts: resolutions.map(resolution => {
      const file = facts.get(resolution.path);
      return {
        record: {
          path: resolution.path,
          language: file?.facts?.language,
          contentHash: '',
          sizeBytes: 0,
          isTest: file?.isTest === true,
          isGenerated: false,
        },
        facts: file?.facts,
        resolution,
      };
    }),
    relinked: [],
    removed: [],
  });
  const found = new Map<Relation, string>();
  for (const node of view.nodes()) {
    for (const edge of view.out(node)) {
      if (edge.confidence >= 0.5 && !found.has(edge.relation)) found.set(edge.relation, `${view.idOf(edge.source)} → ${view.idOf(edge.target)}`);
    }
    for (const edge of view.in(node)) if (edge.confidence >= 0.5 && !found.has(edge.relation)) found.set(edge.relation, '');
  }
  return found;
}

/** Relations of the layers above come from records, not from code. */
const CODE = RELATIONS.filter(row => row.layer === 'code');

const languages = LANGUAGES.map(row => row.id).filter(id => readdirSync(folder).includes(id));

test.each(languages)('every relation that means something in %s has an edge', async language => {
  const found = await relationsOf(language);
  const missing = CODE.map(row => row.name).filter(name => !found.has(name) && ABSENT[language]?.[name] === undefined);
  const needless = Object.keys(ABSENT[language] ?? {}).filter(name => found.has(name as Relation));
  expect({ missing, needless }).toEqual({ missing: [], needless: [] });
});

test('the table in the docs says which', async () => {
  const columns: { readonly language: string; readonly found: ReadonlyMap<Relation, string> }[] = [];
  for (const language of languages) columns.push({ language, found: await relationsOf(language) });
  expect(columns.length).toBe(12);
  const names = columns.map(({ language }) => LANGUAGES.find(row => row.id === language)?.name ?? language);
  const rows = CODE.map(
    row => `| \`${row.name.toLowerCase()}\` | \`${row.reverse}\` | ${columns.map(({ found }) => (found.has(row.name) ? '●' : '')).join(' | ')} |`,
  );
  const reasons = languages.flatMap(language =>
    Object.entries(ABSENT[language] ?? {}).map(
      ([relation, reason]) => `| ${LANGUAGES.find(row => row.id === language)?.name} | \`${relation.toLowerCase()}\` | ${reason} |`,
    ),
  );
  const text = `# Relations

All relations of the code graph with their reverse names, and the languages that have them. Generated from the samples in \`test/fixtures/relations\` (\`npx vitest run test/resolve/relations.test.ts -u\`); JSX counts with JavaScript, TSX, Vue and Svelte with TypeScript. Scala, Bash and Lua have symbols, imports, and calls within a file.

Creating an instance adds two edges: \`instantiates\` to the class and, if the class has its own constructor, \`calls\` to the constructor. A class that inherits a constructor has one \`uses_default\` edge to it; otherwise, this relation is for default values of parameters.

A name in a list of imports or exports adds \`names\` to the symbol, also through re-exports. An \`export … from\`, or a list of exports (including \`__all__\`) that names symbols of another file, adds \`re_exports\`. Impact includes files that only do this, as \`imports\` and \`re_exports\`, and does not continue from them. \`imports_types\` is added to \`imports\` if nothing that a file imports from another exists at run time.

| Relation | Reverse | ${names.join(' | ')} |
|---|---|${names.map(() => ':-:').join('|')}|
${rows.join('\n')}

## Unsupported relations

| Language | Relation | Reason |
|---|---|---|
${reasons.join('\n')}
`;
  await expect(text).toMatchFileSnapshot(page);
});
