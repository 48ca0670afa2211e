import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * Texts that reach a person do not name tools: each door calls a tool something else, so a hint mentions it with `toolRef` (`server/src/model/hints.ts`).
 * Descriptions of tools and what only agents read name them, and so do the command line's own texts.
 */

const TEXTS = /^(?:client\/src|webview\/src|server\/(?:src|protocol))\/.*\.ts$/;
/** What is written for agents, for the settings of agents, and for one door. */
const NAMED_HERE = /^server\/(?:protocol\/settings\.ts$|src\/(?:transports\/|features\/memory\/agentEvents\/))/;

/** Tools whose names are no words. */
const TOOLS = JSON.parse(readFileSync(new URL('../pins/tools.json', import.meta.url), 'utf8'))
  .map(({ name }) => name)
  .filter(name => name.includes('_'));
const MENTION = new RegExp(`(?<!lattice tool )(?<![\\w:.])(?:${TOOLS.join('|')})(?!\\w)`);

/** Places in a file where a text of several words names a tool, as `line: name`. */
export function toolNamesIn(path, text) {
  if (!TEXTS.test(path) || NAMED_HERE.test(path) || !TOOLS.some(name => text.includes(name))) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const places = [];
  const visit = node => {
    if (isDescription(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const found = node.text.trim().includes(' ') ? MENTION.exec(node.text) : null;
      if (found !== null) places.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${found[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

/** `description: …`, the text of `.describe(…)`: what a client shows its model. */
function isDescription(node) {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node && parent.name.getText() === 'description';
  return (
    ts.isCallExpression(parent) &&
    parent.arguments[0] === node &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'describe'
  );
}
