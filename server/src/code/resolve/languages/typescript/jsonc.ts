import { type ParseError, parse } from 'jsonc-parser';

/** JSON as configuration files have it: comments and trailing commas are skipped. Broken text gives `undefined`. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export function parseJsonc(text: string): Json | undefined {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return plainJson(json) ?? jsonWithComments(json);
}

/** Most manifests are plain JSON, which the runtime reads many times faster. */
function plainJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function jsonWithComments(text: string): Json | undefined {
  const errors: ParseError[] = [];
  try {
    const value = parse(text, errors, { allowTrailingComma: true }) as Json | undefined;
    return errors.length === 0 ? value : undefined;
  } catch {
    // Nested deeper than the stack of the parser.
    return undefined;
  }
}

export function objectIn(value: Json | undefined): { readonly [key: string]: Json } | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: Json }) : undefined;
}

export function stringIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
