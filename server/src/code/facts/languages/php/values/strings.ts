import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { PhpFile } from '../walk';

/** Content of a string literal without escapes and interpolations; `undefined` for anything else. */
export function plainString(file: PhpFile, node: SyntaxNode): string | undefined {
  if (!file.is(node, 'string', 'encapsed_string')) return undefined;
  const [content, ...rest] = file.children(node);
  if (content === undefined) return '';
  return rest.length === 0 && file.is(content, 'string_content') ? file.text(content) : undefined;
}
