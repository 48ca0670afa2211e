const HEADER =
  /(?<head>\bclass\s+\w+(?:\s*<[^{}()]*>)?)(?<gap>[ \t]*\r?\n\s*)(?<modifiers>(?:@\w+(?:\([^()\n]*\))?|public|private|internal|protected)(?: +(?:@\w+(?:\([^()\n]*\))?|public|private|internal|protected))*) constructor\b/g;

/**
 * The grammar ends a class whose constructor starts on the next line: the line break is moved to where it does no harm, in front of `constructor`.
 * Same length, same number of lines; only the modifiers of the constructor change their line.
 */
export function prepareKotlin(text: string): string {
  if (!text.includes('constructor')) return text;
  return text.replace(HEADER, (whole, head: string, gap: string, modifiers: string) => {
    const breaks = gap.split('\n').length - 1;
    return breaks === 1 && !gap.includes('\r') ? `${head}${gap.replace('\n', ' ')}${modifiers}\nconstructor` : whole;
  });
}
