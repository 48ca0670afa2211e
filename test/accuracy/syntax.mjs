/**
 * Measures how much of real code the grammars cannot read, after what is repaired before parsing, and writes the table of `docs/syntax-errors.md`.
 *
 * `npm run accuracy -- --syntax --sources FOLDER [--languages a,b] [--results FILE] [--files]`
 *
 * The sources are `FOLDER/LANGUAGE/REPOSITORY/…`. `--results` keeps what was measured, and takes the languages that are not measured in
 * this run from it. `--files` also prints each file with errors and where the first ones are.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { argv, exit, stderr, stdout } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { removeFolder } from '../helpers/removeFolder.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = join(root, 'docs', 'syntax-errors.md');
/** Larger files are generated, as a rule. */
const MAX_BYTES = 1 << 20;
/** What is no source: inputs of tests, which may be broken on purpose, templates, and copies of other repositories. */
const OTHER = /(?:^|\/)(?:[^/]*(?:fixtures?|testdata|templates?|snapshots?|corpus|fuzz)[^/]*|node_modules|\.git|vendor|third[_-]party)\//i;
const SHOWN = 3;
const NAMES = {
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
  rust: 'Rust',
  csharp: 'C#',
  c: 'C',
  cpp: 'C++',
  php: 'PHP',
  ruby: 'Ruby',
  kotlin: 'Kotlin',
  scala: 'Scala',
  bash: 'Bash',
  lua: 'Lua',
};

const { values: options } = parseArgs({
  args: argv.slice(2),
  options: {
    syntax: { type: 'boolean' },
    sources: { type: 'string' },
    languages: { type: 'string' },
    results: { type: 'string' },
    files: { type: 'boolean', default: false },
  },
});
if (options.sources === undefined) {
  stderr.write('accuracy: pass --sources FOLDER (folders of languages with repositories in them)\n');
  exit(2);
}

const work = mkdtempSync(join(root, 'node_modules', '.syntax-'));
const rows =
  options.results !== undefined && existsSync(options.results)
    ? JSON.parse(readFileSync(options.results, 'utf8')).filter(row => options.languages !== undefined && !options.languages.split(',').includes(row.language))
    : [];
try {
  const { FactsReader, languageOfExtension } = await bundled(work);
  const reader = await FactsReader.create();
  const languages = readdirSync(options.sources).filter(name => name in NAMES && (options.languages?.split(',').includes(name) ?? true));
  for (const language of languages.sort(inOrder)) {
    for (const repository of readdirSync(join(options.sources, language)).sort()) {
      const row = { language, repository, files: 0, withErrors: 0, nodes: 0, errors: 0 };
      for (const path of sourcesIn(join(options.sources, language, repository))) {
        const own = languageOfExtension(extname(path));
        if (own !== language && !(language === 'typescript' && own === 'tsx')) continue;
        const { nodes, errors } = await reader.syntaxErrors(own, readFileSync(path, 'utf8'));
        row.files++;
        row.nodes += nodes;
        row.errors += errors.length;
        if (errors.length > 0) row.withErrors++;
        if (options.files && errors.length > 0)
          stdout.write(
            `${relative(options.sources, path)} ${errors.length}\n${errors
              .slice(0, SHOWN)
              .map(error => `  ${error}\n`)
              .join('')}`,
          );
      }
      if (row.files > 0) rows.push(row);
      stderr.write(`${JSON.stringify(row)}\n`);
    }
  }
} finally {
  removeFolder(work);
}
if (options.results !== undefined) writeFileSync(options.results, JSON.stringify(rows));
writeFileSync(page, readFileSync(page, 'utf8').replace(/(?<=<!-- table:begin -->\n)[\s\S]*(?=<!-- table:end -->)/, tables(rows)));

function inOrder(left, right) {
  return Object.keys(NAMES).indexOf(left) - Object.keys(NAMES).indexOf(right);
}

/** The parser and the repairs in front of it, as they are in this checkout. */
async function bundled(folder) {
  const outfile = join(folder, 'reader.mjs');
  await build({
    stdin: { contents: "export * from './test/helpers/extract'; export { languageOfExtension } from './server/src/model/languages';", resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'test', 'helpers')) },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}

/** Paths of the files below a folder that people wrote as sources, in order; links are not followed. */
function sourcesIn(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory()) return OTHER.test(`${path}/`) ? [] : sourcesIn(folder, `${path}/`);
      return entry.isFile() && statSync(join(folder, path)).size <= MAX_BYTES ? [join(folder, path)] : [];
    });
}

/** A line for each language, and below them one for each repository with errors. */
function tables(all) {
  const lines = ['| Language | Repositories | Files | With errors | Syntax nodes | Errors | Share |', '|---|--:|--:|--:|--:|--:|--:|'];
  const detail = ['', '| Language | Repository | Files | With errors | Share |', '|---|---|--:|--:|--:|'];
  for (const [language, name] of Object.entries(NAMES)) {
    const own = all.filter(row => row.language === language);
    if (own.length === 0) continue;
    const sum = of => own.reduce((total, row) => total + row[of], 0);
    lines.push(
      `| ${name} | ${own.length} | ${number(sum('files'))} | ${number(sum('withErrors'))} | ${number(sum('nodes'))} | ${number(sum('errors'))} | ${share(sum('errors'), sum('nodes'))} |`,
    );
    for (const row of own) detail.push(`| ${name} | ${row.repository} | ${number(row.files)} | ${number(row.withErrors)} | ${share(row.errors, row.nodes)} |`);
  }
  return `${[...lines, ...detail].join('\n')}\n`;
}

function number(value) {
  return value.toLocaleString('en-US');
}

function share(errors, nodes) {
  return errors === 0 ? '0' : `${((errors / nodes) * 100).toPrecision(2)}%`;
}
