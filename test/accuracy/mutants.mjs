/** Makes a function fail: a statement that raises stands first in its body. By the language's own parser, so that Lattice is not asked about itself. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { firstProblem } from './running.mjs';

const here = name => fileURLToPath(new URL(name, import.meta.url));

/** The text of the file with a failing body for the function declared on lines `startLine` to `endLine` (1-based); `undefined` where it has none. */
export function failAt(path, text, { startLine, endLine }) {
  const place = failingPlace(path, text, startLine, endLine);
  return place === undefined ? undefined : inserted(text, [place]);
}

/** Where the body of a function begins, as an offset in bytes, with the statement that makes it fail. */
export function failingPlace(path, text, startLine, endLine) {
  if (path.endsWith('.py')) return outside('python3', [here('mutate.py')], text, startLine, endLine);
  if (path.endsWith('.rb')) return outside('ruby', [here('mutate.rb')], text, startLine, endLine);
  if (path.endsWith('.go')) return outside(goMutator(), [], text, startLine, endLine);
  return failInScript(path, text, startLine, endLine);
}

/** The text with statements put in, each at its offset in bytes. */
export function inserted(text, places) {
  const bytes = Buffer.from(text);
  const parts = [];
  let from = 0;
  for (const [offset, statement] of places.toSorted(([left], [right]) => left - right)) {
    parts.push(bytes.subarray(from, offset), Buffer.from(statement));
    from = offset;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]).toString();
}

let built;

/** Built once: compiling it takes longer than running it. */
function goMutator() {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), 'lattice-mutate-'));
  process.on('exit', () => removeFolder(folder));
  built = join(folder, 'mutate');
  const problem = firstProblem(folder, [['go', 'build', '-o', built, here('mutate.go')]]);
  if (problem !== undefined) throw new Error(problem);
  return built;
}

/** A program reads the text on stdin and writes the offset in bytes and the statement to put there, or nothing. */
function outside(program, args, text, startLine, endLine) {
  const run = spawnSync(program, [...args, String(startLine), String(endLine)], { input: text, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`${program}: ${run.stderr}`);
  if (run.stdout === '') return undefined;
  return JSON.parse(run.stdout);
}

function failInScript(path, text, startLine, endLine) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = position => source.getLineAndCharacterOfPosition(position).line + 1;
  let found;
  const visit = node => {
    if (found !== undefined) return;
    if (ts.isFunctionLike(node) && node.body !== undefined && lineOf(node.getEnd()) === endLine && Math.abs(lineOf(node.getStart()) - startLine) <= 1) {
      if (ts.isBlock(node.body)) found = node;
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (found === undefined) return undefined;
  // Directives ("use strict") stay first; a constructor may have to call super first and fails all the same.
  return [Buffer.byteLength(text.slice(0, found.body.getStart() + 1)), " throw new Error('mutant');"];
}
