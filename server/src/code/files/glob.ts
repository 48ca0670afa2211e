/**
 * Globs of the editor's `files.exclude` and `search.exclude`: `**` any folders, `*` and `?` inside a segment, `{a,b}`, `[a-z]`, `[!a]`.
 * A pattern is anchored at the workspace root and matches files and folders; `x/**` matches `x` too.
 * Unbalanced brackets and braces are read literally.
 */
export function compileGlob(glob: string, caseInsensitive: boolean): RegExp {
  const pattern = glob
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '')
    .replace(/\/+$/, '');
  return new RegExp(`^${translate(pattern)}$`, caseInsensitive ? 'iu' : 'u');
}

function translate(glob: string): string {
  let result = '';
  let at = 0;
  while (at < glob.length) {
    const step = translateAt(glob, at);
    result += step.source;
    at = step.next;
  }
  return result;
}

interface Step {
  readonly source: string;
  readonly next: number;
}

function translateAt(glob: string, at: number): Step {
  const atSegment = at === 0 || glob[at - 1] === '/';
  if (atSegment && glob.startsWith('**/', at)) return { source: '(?:[^/]+/)*', next: at + 3 };
  if (glob.slice(at) === '/**') return { source: '(?:/.*)?', next: glob.length };
  if (glob.startsWith('**', at)) return { source: '.*', next: at + 2 };
  const character = glob[at] ?? '';
  if (character === '*') return { source: '[^/]*', next: at + 1 };
  if (character === '?') return { source: '[^/]', next: at + 1 };
  if (character === '[') return translateClass(glob, at);
  if (character === '{') return translateBraces(glob, at);
  const whole = String.fromCodePoint(glob.codePointAt(at) ?? 0);
  return { source: escapeRegExp(whole), next: at + whole.length };
}

function translateClass(glob: string, at: number): Step {
  const close = glob.indexOf(']', at + 2);
  if (close < 0) return { source: '\\[', next: at + 1 };
  const body = glob.slice(at + 1, close);
  const negated = body.startsWith('!') || body.startsWith('^');
  const members = (negated ? body.slice(1) : body).replace(/[\\\]^[]/g, '\\$&');
  try {
    const source = `(?!/)[${negated ? '^' : ''}${members}]`;
    new RegExp(source, 'u');
    return { source, next: close + 1 };
  } catch {
    return { source: '\\[', next: at + 1 };
  }
}

function translateBraces(glob: string, at: number): Step {
  const parts: string[] = [];
  let depth = 0;
  let start = at + 1;
  for (let i = at; i < glob.length; i++) {
    const character = glob[i];
    if (character === '{') depth++;
    else if (character === '}') depth--;
    if ((character === ',' && depth === 1) || (character === '}' && depth === 0)) {
      parts.push(translate(glob.slice(start, i)));
      start = i + 1;
    }
    if (depth === 0) return { source: `(?:${parts.join('|')})`, next: i + 1 };
  }
  return { source: '\\{', next: at + 1 };
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
