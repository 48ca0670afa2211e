/** JSON as configuration files have it: comments and trailing commas are skipped. Broken text gives `undefined`. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export function parseJsonc(text: string): Json | undefined {
  try {
    return JSON.parse(strip(text)) as Json;
  } catch {
    return undefined;
  }
}

export function objectIn(value: Json | undefined): { readonly [key: string]: Json } | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: Json }) : undefined;
}

export function stringIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Text without comments and without commas before a closing bracket. */
function strip(text: string): string {
  let out = '';
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = endOfString(text, at);
      out += text.slice(at, end);
      at = end;
    } else if (char === '/' && text[at + 1] === '/') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 2;
    } else {
      if (char === '}' || char === ']') out = out.replace(/,\s*$/, '');
      out += char;
      at++;
    }
  }
  return out;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
