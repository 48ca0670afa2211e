/** Makes a function fail: a statement that raises stands first in its body. By the language's own parser, so that Lattice is not asked about itself. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const here = name => fileURLToPath(new URL(name, import.meta.url));

/** The text of the file with a failing body for the function declared on lines `startLine` to `endLine` (1-based); `undefined` where it has none. */
export function failAt(path, text, { startLine, endLine }) {
  if (path.endsWith('.py')) return outside('python3', [here('mutate.py')], text, startLine, endLine);
  if (path.endsWith('.go')) return outside('go', ['run', here('mutate.go')], text, startLine, endLine);
  return failInScript(path, text, startLine, endLine);
}

/** A program reads the text on stdin and writes the offset in bytes and the statement to put there, or nothing. */
function outside(program, args, text, startLine, endLine) {
  const run = spawnSync(program, [...args, String(startLine), String(endLine)], { input: text, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`${program}: ${run.stderr}`);
  if (run.stdout === '') return undefined;
  const [offset, statement] = JSON.parse(run.stdout);
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes.subarray(0, offset), Buffer.from(statement), bytes.subarray(offset)]).toString();
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
  const at = found.body.getStart() + 1;
  return `${text.slice(0, at)} throw new Error('mutant');${text.slice(at)}`;
}
