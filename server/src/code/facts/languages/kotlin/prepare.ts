const HEADER =
  /(?<head>\bclass\s+\w+(?:\s*<[^{}()]*>)?)(?<gap>[ \t]*\r?\n\s*)(?<modifiers>(?:@\w+(?:\([^()\n]*\))?|public|private|internal|protected)(?: +(?:@\w+(?:\([^()\n]*\))?|public|private|internal|protected))*) constructor\b/g;

/** A type with its body on one line, as far as the line goes; texts in it are left alone. */
const ONE_LINE = /\b(?:class|interface|object)\b[^\n{}"']*\{[^\n"']*\}/g;

/** A call of `get` at the beginning of a line: with arguments, or with a block. */
const GET_CALL = /^(?<indent>[ \t]*)[ \t](?=get(?:\((?!\s*\))| *\{))/gm;

/**
 * What the grammar cannot read is said in another way, in the same length and with as many lines.
 * An annotation in the last line, without a line break behind it, makes its scanner run forever: the mark is blanked.
 * A class whose constructor starts on the next line ends before it: the line break is moved in front of `constructor`.
 * A call of `get` behind a variable is read as the getter of that: a semicolon parts them.
 * The last member of a body needs a line break or a semicolon behind it: on one line it gets a semicolon.
 */
export function prepareKotlin(text: string): string {
  const joined = text.includes('constructor')
    ? text.replace(HEADER, (whole, head: string, gap: string, modifiers: string) => {
        const breaks = gap.split('\n').length - 1;
        return breaks === 1 && !gap.includes('\r') ? `${head}${gap.replace('\n', ' ')}${modifiers}\nconstructor` : whole;
      })
    : text;
  return withoutLastMark(withoutGetters(joined).replace(ONE_LINE, closed));
}

/** A semicolon in the place of the blank in front of each brace that closes something on the line, unless nothing or a semicolon stands before it. */
function closed(line: string): string {
  return line.replace(/(?<before>[^\s{;,>])[ \t]\}/g, '$<before>;}');
}

function withoutGetters(text: string): string {
  if (!text.includes('get')) return text;
  return text.replace(GET_CALL, (blank: string, indent: string, at: number) => (endsStatement(text, at) ? `${indent};` : blank));
}

/** Whether what stands in front of a place, blanks and comments left out, may be the end of a statement. */
function endsStatement(text: string, at: number): boolean {
  let end = at;
  for (;;) {
    while (end > 0 && /\s/.test(text[end - 1] ?? '')) end--;
    const line = text.lastIndexOf('\n', end - 1) + 1;
    if (text.startsWith('*/', end - 2)) end = Math.max(0, text.lastIndexOf('/*', end - 2));
    else if (text.slice(line, end).trimStart().startsWith('//')) end = line;
    else return end > 0 && !/[{(,;>=&|?:.+-]/.test(text[end - 1] ?? '');
    if (end === 0) return false;
  }
}

function withoutLastMark(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  return text.includes('@', start) ? text.slice(0, start) + text.slice(start).replaceAll('@', ' ') : text;
}
