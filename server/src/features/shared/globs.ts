import { regExpFault } from '../../base/patternCost';

const NOTHING = /$^/;

/** Choices with how often one may come. Without either sign, parentheses are part of a name. */
const GROUP = /^(?:([?+*@])\(([^()]*)\)|\(([^()]*[|*][^()]*)\))/;

/** How often a choice may come. Nobody repeats one more often, and without a bound the tries would have none. */
const OFTEN: Readonly<Record<string, string>> = { '?': '?', '+': '{1,3}', '*': '{0,3}' };

function choicesOf(text: string): string {
  const choices = text.split('|').map(choice => choice.replace(/[.+^$\\[\]{}?]/g, '\\$&').replace(/\*/g, '[^/]*'));
  return `(?:${choices.join('|')})`;
}

function groupOf([, often = '', counted, plain]: readonly (string | undefined)[]): string {
  return `${choicesOf(counted ?? plain ?? '')}${OFTEN[often] ?? ''}`;
}

/** A glob as a pattern: `**`, `*`, `?`, `{a,b}`, `[ab]`, `(a|b)`, `?(a|b)`, `+(a|b)`, `*(a|b)`, `@(a|b)`; one without any is a folder or a file, one without slash a name. One that could take very long matches nothing. */
export function globPattern(glob: string): RegExp {
  const clean = glob.replace(/^(?:<rootDir>|\.)\//, '').replace(/^\.$/, '**');
  const isPlain = !/[*?{[]|[+@]\(|\(.*\|.*\)/.test(clean);
  let pattern = '';
  for (let at = 0; at < clean.length; at++) {
    const letter = clean[at] ?? '';
    if (clean.startsWith('**/', at)) {
      pattern += '(?:.*/)?';
      at += 2;
    } else if (clean.startsWith('**', at)) {
      pattern += '.*';
      at += 1;
    } else if (GROUP.test(clean.slice(at))) {
      const group = GROUP.exec(clean.slice(at)) ?? [''];
      pattern += groupOf(group);
      at += group[0].length - 1;
    } else if (letter === '*') pattern += '[^/]*';
    else if (letter === '?') pattern += '[^/]';
    else if (letter === '{') pattern += '(?:';
    else if (letter === '}') pattern += ')';
    else if (letter === ',') pattern += '|';
    else if (letter === '[' || letter === ']') pattern += letter;
    else pattern += letter.replace(/[.+^$()|\\]/g, '\\$&');
  }
  const start = clean.includes('/') || isPlain ? '^' : '(?:^|/)';
  const source = `${start}${pattern}${isPlain ? '(?:/|$)' : '$'}`;
  return compiled(source);
}

function compiled(source: string): RegExp {
  if (regExpFault(source) !== undefined) return NOTHING;
  try {
    return new RegExp(source);
  } catch {
    return NOTHING;
  }
}
