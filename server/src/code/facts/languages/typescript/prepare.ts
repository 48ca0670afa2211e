const DECLARATION =
  /^(?<head>[ \t]*(?:for[ \t]*(?:await[ \t]*)?\([ \t]*)?)(?<awaits>await[ \t]+)?using(?=[ \t]+[\p{L}_$][\p{L}\p{N}_$]*[ \t]*(?::[^=;\n]*)?(?:=(?![=>])|of\b))/gmu;

/** What the grammar of TypeScript cannot read yet is said in another way, in the same length: `using x = …` and `await using x = …` are constants. */
export function prepareTypeScript(text: string): string {
  if (!text.includes('using ')) return text;
  return text.replace(DECLARATION, (_, head: string, awaits: string | undefined) => `${head}${' '.repeat(awaits?.length ?? 0)}const`);
}
