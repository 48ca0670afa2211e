import { wordPattern } from '../../base/text';

/** Names that every method has, and marks that are no parameters. */
const RECEIVERS: ReadonlySet<string> = new Set(['self', 'cls', 'this', '*', '/', '&self', '&mut self', 'mut self']);
const OPENING = '([{<';
const CLOSING = ')]}>';

/** Parameters that a signature lists; receivers do not count. 0 when there is no list. */
export function parameterCount(signature: string, name: string): number {
  const start = listStart(signature, name);
  if (start < 0) return 0;
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < signature.length; at++) {
    const letter = signature[at] ?? '';
    // The head of an arrow is no closing bracket.
    if (letter === '>' && /[=-]/.test(signature[at - 1] ?? '')) continue;
    if (OPENING.includes(letter)) depth++;
    else if (CLOSING.includes(letter)) depth--;
    if (depth === 0 || (depth === 1 && letter === ',')) {
      parts.push(signature.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) break;
  }
  return parts
    .map(
      part =>
        part
          .trim()
          .split(/\s*[:=]/)[0]
          ?.trim() ?? '',
    )
    .filter(part => part !== '' && !RECEIVERS.has(part)).length;
}

/** Where the list of parameters opens: after the name and its type parameters. */
function listStart(signature: string, name: string): number {
  const place = name === '' ? -1 : signature.search(new RegExp(wordPattern(name)));
  let at = place < 0 ? 0 : place + name.length;
  if (signature[at] === '<') {
    for (let depth = 0; at < signature.length; at++) {
      if (signature[at] === '<') depth++;
      else if (signature[at] === '>' && signature[at - 1] !== '=' && --depth === 0) break;
    }
  }
  return signature.indexOf('(', at);
}
