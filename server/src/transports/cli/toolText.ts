import type { Paint } from './terminal';

/** What tools tell agents, and what a person types instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^More: cursor=(\S+)$/, 'More: add --cursor $1'],
  [/\bUse profile '(\w+)'/g, 'Add --profile $1'],
  [/\buse profile '(\w+)'/g, 'add --profile $1'],
  [/\bUse maxTokens (\d+) or a larger profile/g, 'Add --max-tokens $1 or --profile debug'],
  [/\bUse a larger profile\b/g, 'Add --profile debug'],
  [/\bUse a larger maxTokens\b/g, 'Add a larger --max-tokens'],
  [/\bUse maxDepth (\d)/g, 'Add --max-depth $1'],
  [/\bRun graph_health\b/g, 'Run lattice status'],
  [/\bUse graph_health\b/g, 'Run lattice status'],
  [/\bsearch_code with\b/g, 'lattice search with'],
  [/\bUse nextCursor\b/g, 'Use the cursor'],
  [/\bCall code_explain again\b/g, 'Call lattice explain again'],
  [/\bCall impact_analyze again\b/g, 'Call lattice impact again'],
  [/\bCall search_code again\b/g, 'Call lattice search again'],
  [/\bCall semantic_slice again\b/g, 'Call lattice slice again'],
  [/\bCall query_graph_neighborhood again\b/g, 'Call lattice neighbors again'],
];

/** A hint for agents in the words of the command line. */
export function hintForTerminal(hint: string): string {
  return WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), hint);
}

/** The rendering of an answer with its closing lines, not its rows, in the words of the command line. */
export function textForTerminal(text: string, hint: string | undefined): string {
  const lines = text.trimEnd().split('\n');
  const isTail = (line: string, at: number): boolean => line === hint || (at >= lines.length - 3 && line.startsWith('More: cursor='));
  return lines.map((line, at) => (isTail(line, at) ? hintForTerminal(line) : line)).join('\n');
}

/** Colors the rendering of an answer: its first line stands out, places are marked, the stamp at the end recedes. */
export function colorizeAnswer(text: string, paint: Paint): string {
  const lines = text.trimEnd().split('\n');
  return lines
    .map((line, at) => {
      if (at === 0) return paint('bold', line);
      if (at === lines.length - 1) return paint('dim', line);
      return line.replace(/(?<place>[^\s`()[\]]+\.[A-Za-z]{1,5}:\d+(?:-\d+)?)/g, place => paint('cyan', place));
    })
    .join('\n');
}
