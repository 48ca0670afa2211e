/** The repository's own laws that no other tool checks. Prints each violation; exit status 1 when there is one. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { confidencesIn } from './confidences.mjs';
import { languageNamesIn } from './languageNames.mjs';
import { toolNamesIn } from './toolNames.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const violations = [];
const violation = (path, message) => violations.push(`${path}: ${message}`);

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\n')
  .filter(path => path !== '' && existsSync(join(root, path)));
const text = path => readFileSync(join(root, path), 'utf8');

// Top level: the folders that were agreed on, and nothing else.
const topFolders = new Set(['client', 'server', 'webview', 'media', 'syntaxes', 'test', 'docs', '.ci', '.vscode']);
for (const path of files) {
  const top = path.split('/')[0];
  if (path.includes('/') && !topFolders.has(top)) violation(path, `folder ${top} is not part of the agreed top level`);
}

// Names: no drawer for odds and ends.
for (const path of files) {
  if (!/\.(ts|mjs|cjs)$/.test(path) || path.startsWith('test/fixtures/')) continue;
  const name = basename(path).replace(/\..*$/, '');
  if (/^(utils?|helpers?|common|misc|shared|lib)$/i.test(name)) violation(path, 'the name says nothing: call it after what it does');
}

// Folders stay small enough to take in at a glance.
const entries = new Map();
for (const path of files) {
  for (let folder = dirname(path), child = path; folder !== '.'; child = folder, folder = dirname(folder)) {
    if (!entries.has(folder)) entries.set(folder, new Set());
    entries.get(folder).add(child);
  }
}
for (const [folder, children] of entries) {
  // As many folders as there are languages.
  if (!folder.startsWith('server/src/') || folder === 'server/src/model' || folder.endsWith('/languages')) continue;
  if (children.size > 18) violation(folder, `${children.size} entries; at most 18`);
}

// Sources: no absolute machine paths, no suppressed checks, no focused or skipped tests, no notes to self.
const banned = [
  [/\b(?:TODO|FIXME|XXX|HACK)\b/, 'finish it or file it'],
  [/eslint-disable|oxlint-disable|biome-ignore|@ts-(?:ignore|nocheck|expect-error)/, 'a check is on or it is deleted'],
  [/\b(?:test|it|describe)\.(?:only|skip|todo)\(/, 'no focused or skipped tests'],
  [
    /\brm(?:Sync)?\([^{}]*\{ recursive: true, force: true/,
    'a folder of a test goes with removeFolder (test/helpers), which waits for processes that are just ending',
    'test/',
  ],
  [/(?:^|[^A-Za-z0-9_.$-])\/(?:work\/(?:main|shared)|root\/|tmp\/plan)/, 'a path of one machine'],
];
for (const path of files) {
  if (!/\.(ts|mjs|cjs|json|md|yml)$/.test(path) || path === 'package-lock.json' || path.startsWith('test/fixtures/') || path === 'test/tidy/tidy.mjs') continue;
  if (statSync(join(root, path)).size > 1 << 20) continue;
  const lines = text(path).split('\n');
  for (const [index, line] of lines.entries()) {
    for (const [pattern, message, folder = ''] of banned)
      if (path.startsWith(folder) && path !== 'test/helpers/removeFolder.mjs' && pattern.test(line)) violation(`${path}:${index + 1}`, message);
  }
}

// Files of code are short enough for the linter; style sheets have the same limit.
const MAX_LINES = 500;
for (const path of files.filter(candidate => candidate.endsWith('.css') && !candidate.startsWith('test/fixtures/'))) {
  const lines = text(path).split('\n').length - 1;
  if (lines > MAX_LINES) violation(path, `${lines} lines; at most ${MAX_LINES}`);
}

// Names: bounds begin with MAX_ and MIN_, words are spelled as in VS Code.
const names = [
  [/\b(?:MOST|LONGEST|LARGEST|DEEPEST|WIDEST|FARTHEST)(?:_[A-Z]+)*\b/, 'maxima begin with MAX_'],
  [/\bconst (?!DEFAULT_)[A-Z_]*(?:LIMITS?|BUDGETS?|CAP)(?:_[A-Z]+)*\b/, 'maxima begin with MAX_'],
  [/\b(?:LEAST|FEWEST|SMALLEST|SHORTEST|LOWEST)(?:_[A-Z]+)*\b/, 'minima begin with MIN_'],
  [/colour|neighbour|behaviour|normalis|optimise|tokenis|initialis/i, 'American spelling, as in VS Code'],
];
for (const path of files.filter(candidate => /^(?:server\/(?:src|protocol)|client\/src|webview\/src)\/.*\.(?:ts|css)$/.test(candidate))) {
  for (const [index, line] of text(path).split('\n').entries()) {
    for (const [pattern, message] of names) if (pattern.test(line)) violation(`${path}:${index + 1}`, message);
  }
}

// Programs are started in one place on the server, which ends them with all they started.
const starters = new Set(['server/src/engine/processTree.ts']);
for (const path of files) {
  if (path.startsWith('server/src/') && !starters.has(path) && /from '(?:node:)?child_process'/.test(text(path)))
    violation(path, 'start programs with engine/processTree');
}

// The rooms that serve all languages name none; a text that reaches a person names no tool.
for (const path of files.filter(candidate => candidate.endsWith('.ts'))) {
  for (const place of languageNamesIn(path, text(path))) violation(`${path}:${place}`, 'a language or its manifest is named outside its folder');
  for (const place of confidencesIn(path, text(path))) violation(`${path}:${place}`, 'a confidence outside the tables of model/evidence');
  for (const place of toolNamesIn(path, text(path))) violation(`${path}:${place}`, 'a text names a tool: mention it with toolRef (model/hints)');
}

// Operands of expressions are read by name; their columns are known where facts are built and named alone.
const columnKeepers = /^server\/src\/(?:model\/expressions|code\/facts\/(?:factsBuilder|factRows|factTables|rowTable))\.ts$/;
for (const path of files.filter(candidate => /^server\/src\/code\/.*\.ts$/.test(candidate) && !columnKeepers.test(candidate))) {
  for (const [index, line] of text(path).split('\n').entries()) {
    if (/\b(?:expressions|table)\.[ab]\b/.test(line)) violation(`${path}:${index + 1}`, 'read operands with operandOf (model/expressions)');
  }
}

// What digests and values of services hold is read by names; keys of one letter stand in the text of a digest alone (`model/digestText`).
for (const path of files.filter(candidate => /^server\/src\/(?:services\/|code\/facts\/|model\/digest)/.test(candidate) && !columnKeepers.test(candidate))) {
  for (const [index, line] of text(path).split('\n').entries()) {
    if (/^[^*]*\breadonly [a-z]\??:/.test(line)) violation(`${path}:${index + 1}`, 'a property with a name of one letter');
  }
}

// What a comment relies on can be read here: it cites no document that the repository does not have.
const FOREIGN = /\bDESIGN\b|\b(?:graph|search|tools|memory|knowledge|history|architecture|work) spec\b|\b[Ss]pec section\b|\b[Dd]ecision \d+\b|\bissue #?\d+\b/;
const documents = new Set(files.filter(path => path.endsWith('.md')).map(path => basename(path)));
for (const path of files) {
  if (!/\.(ts|mjs|cjs|css|md)$/.test(path) || path.startsWith('test/fixtures/') || path === 'test/tidy/tidy.mjs') continue;
  for (const [index, line] of text(path).split('\n').entries()) {
    if (FOREIGN.test(line)) violation(`${path}:${index + 1}`, 'cites what is not in the repository: say the reason here, or in ARCHITECTURE.md');
    if (!/^\s*(?:\/?\*|\/\/)/.test(line) || path.startsWith('test/') || path.endsWith('.md')) continue;
    for (const [, name] of line.matchAll(/\b(?:[\w-]+\/)*((?:[A-Z]{3,}|[a-z-]+)\.md)\b/g))
      if (!documents.has(name)) violation(`${path}:${index + 1}`, `cites ${name}, which is not in the repository`);
  }
}

// The import law saw the whole server: a checker that looks at nothing is green too.
const { rooms } = await import('../../law.cjs').then(module => module.default);
for (const room of Object.keys(rooms)) {
  const folder = join(root, 'server', 'src', room);
  if (!existsSync(folder) || !readdirSync(folder).some(name => name.endsWith('.ts'))) violation('law.cjs', `room ${room} has no files`);
}

// The lock names every platform's variant of a package; else npm ci refuses it, or installs too little on another system.
const locked = JSON.parse(text('package-lock.json')).packages;
for (const [path, entry] of Object.entries(locked)) {
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (!(`node_modules/${name}` in locked) && !(`${path}/node_modules/${name}` in locked))
      violation('package-lock.json', `no entry for ${name}, an optional part of ${path}`);
  }
}

// Documents: relative links lead somewhere.
for (const path of files.filter(candidate => candidate.endsWith('.md') && !candidate.startsWith('test/fixtures/'))) {
  for (const match of text(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
    if (!existsSync(join(root, dirname(path), match[1]))) violation(path, `dead link ${match[1]}`);
  }
}

// What people read: words of our data or of a translation do not show in the product and its guides. CONTEXT.md has the words to use.
const wordsToAvoid = [
  [/\bmaybes\b/i, 'say "possible"'],
  [/\bbreach(?:es|ed)?\b/i, 'say "violation"'],
  [/\b(?:neighbour|colour|behaviour)s?\b/i, 'American spelling, as in VS Code'],
  [/\bby hand\b/i, 'say "manually"'],
  [/\b(?:hangs? together|indexed around|farther away)\b/i, 'say it plainly'],
  [/\d %(?!\w)/, 'no space before the percent sign'],
];
const isGuide = path =>
  /^(?:README|CHANGELOG)\.md$|^docs\/(?!accuracy|spot-checks|retrieval-log)[^/]+\.md$|^media\/agent-plugin\/.*\.md$|^package\.nls\.json$/.test(path);
const isInterface = path => /^(?:client\/src|webview\/src|server\/protocol|server\/src\/(?:tools|transports|features))\/.*\.ts$/.test(path);
for (const path of files.filter(candidate => isGuide(candidate) || isInterface(candidate))) {
  for (const { line, said } of isGuide(path) ? linesOf(text(path)) : literalsOf(path)) {
    for (const [pattern, message] of wordsToAvoid) if (pattern.test(said)) violation(`${path}:${line}`, `${message}: ${said.trim().slice(0, 80)}`);
  }
}

function linesOf(content) {
  return content.split('\n').map((said, index) => ({ line: index + 1, said }));
}

/** Texts of a source file that have more than one word. */
function literalsOf(path) {
  const source = ts.createSourceFile(path, text(path), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = node => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (node.text.trim().includes(' ')) found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, said: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

// Security: each promise has its test.
const promises = [...text('docs/security.md').matchAll(/`(?<file>test\/[^`]+)`: “(?<name>[^”]+)”/g)];
if (promises.length < 20) violation('docs/security.md', 'names too few tests: is their form still `file`: “name”?');
for (const { groups } of promises) {
  if (!existsSync(join(root, groups.file))) violation('docs/security.md', `there is no ${groups.file}`);
  else if (!text(groups.file).includes(groups.name)) violation('docs/security.md', `${groups.file} has no test “${groups.name}”`);
}

for (const line of violations) console.log(line);
process.exitCode = violations.length === 0 ? 0 : 1;
