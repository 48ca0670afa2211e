const DECLARATION =
  /^(?<head>[ \t]*(?:for[ \t]*(?:await[ \t]*)?\([ \t]*)?)(?<awaits>await[ \t]+)?using(?=[ \t]+[\p{L}_$][\p{L}\p{N}_$]*[ \t]*(?::[^=;\n]*)?(?:=(?![=>])|of\b))/gmu;

/** `export type * from './x'` */
const STAR_OF_TYPES = /^(?<head>[ \t]*export[ \t]+)type(?=[ \t]*\*)/gm;
/** Stands for `type` where the grammar takes none: a comment of the same length. */
export const TYPE_MARK = '/**/';

/**
 * What the grammar of TypeScript cannot read yet is said in another way, in the same length:
 * - `using x = …` and `await using x = …` are constants.
 * - `type` of `export type * from` is a comment (`TYPE_MARK`).
 * - A call signature with type parameters gets a semicolon in front of it where the member above ends without one.
 */
export function prepareTypeScript(text: string): string {
  const constant = text.includes('using ')
    ? text.replace(DECLARATION, (_, head: string, awaits: string | undefined) => `${head}${' '.repeat(awaits?.length ?? 0)}const`)
    : text;
  const marked = constant.includes('export type') ? constant.replace(STAR_OF_TYPES, `$<head>${TYPE_MARK}`) : constant;
  return withSeparatedSignatures(marked);
}

const GENERIC_LINE = /^[ \t]+<[ \t\r\n]*(?:const[ \t]+)?[A-Za-z_$]/m;
/** Comments, texts, braces, and the first `<` of a line. */
const PARTS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|[{}]|(?<=^[ \t]+)</gm;
/** What stands in front of a brace that holds members of a type. */
const TYPE_BODY = /\binterface\b[^{};]*$|(?:\btype\b[^{};]*=|[:&|<])\s*$/;
/** How far before a brace its declaration may begin. */
const MAX_HEAD = 1_000;
const MAX_SIGNATURE = 4_000;

function withSeparatedSignatures(text: string): string {
  if (!GENERIC_LINE.test(text)) return text;
  const bodies: boolean[] = [];
  /** End of the code in front of the current part, without the comments between. */
  let codeEnd = 0;
  let partEnd = 0;
  let out = '';
  let copied = 0;
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    const between = text.slice(partEnd, index).trimEnd();
    if (between.trim() !== '') codeEnd = partEnd + between.length;
    if (part === '{') bodies.push(TYPE_BODY.test(text.slice(Math.max(0, index - MAX_HEAD), index)));
    else if (part === '}') bodies.pop();
    else if (part === '<' && bodies.at(-1) === true && endsMember(text, codeEnd) && isSignature(text, index)) {
      out += `${text.slice(copied, index - 1)};`;
      copied = index;
    }
    partEnd = index + part.length;
    if (!part.startsWith('/')) codeEnd = partEnd;
  }
  return out === '' ? text : out + text.slice(copied);
}

/** The code up to an offset ends the type of a member: nothing in it waits for more. */
function endsMember(text: string, end: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
  return (
    /[\w$)\]}'"`]$|[^=]>$/.test(line) && !/(?:^\s*|[\s;{])(?:new|extends|keyof|typeof|infer|readonly|is|in|asserts)$/.test(line) && !/^\s*[\w$]+$/.test(line)
  );
}

/** `<…>(…)` with a colon behind it. */
function isSignature(text: string, start: number): boolean {
  const end = closeOf(text, start, '<', '>');
  if (end < 0) return false;
  const open = end + text.slice(end, end + 100).search(/\S/);
  if (text[open] !== '(') return false;
  const close = closeOf(text, open, '(', ')');
  return close > 0 && /^\s*:/.test(text.slice(close, close + 100));
}

/** Offset behind the bracket that closes the one at `start`; -1 when it is not near. */
function closeOf(text: string, start: number, open: string, close: string): number {
  let depth = 0;
  for (let at = start; at < text.length && at < start + MAX_SIGNATURE; at++) {
    const char = text[at];
    if (char === open) depth++;
    else if (char === close && text[at - 1] !== '=' && --depth === 0) return at + 1;
  }
  return -1;
}
