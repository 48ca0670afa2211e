/** `{id:int}`, `{id?}`, `{page=1}`, `{*rest}` are one parameter each. */
export function withoutConstraints(path: string): string {
  return path.replace(/\{\**(\w+)(?:[:=?](?:[^{}]|\{[^{}]*\})*)?\}/g, '{$1}');
}
