/**
 * Source text as the grammar can read it: macros that stand where no name may are blanked, so that offsets and lines stay.
 * It knows the form of such macros only, not their definitions.
 */

/** Guards around `extern "C" {` and its brace: the block means nothing to the reader. */
const LINKAGE =
  /^([ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]+)_*cplusplus\b[^\n]*\n)([ \t]*(?:extern[ \t]+"C"[ \t]*\{|\}[^\n]*)[ \t\r]*\n)(?=[ \t]*#[ \t]*endif)/gm;

/** `class FOO_EXPORT Name`, `struct FOO_API(x) Name`: the macro before the name of a type. */
const TYPE_MACRO =
  /\b(?:class|struct|union|enum)[ \t]+([A-Z][A-Z0-9_]{2,}(?:[ \t]*\([^()\n]*\))?)[ \t]+(?=(?:[A-Za-z_]\w*)\s*(?:final\b\s*)?(?::(?!:)|\{|;|<|::|$))/gm;

/** A line with a macro alone, as between declarations. */
const LONE_MACRO = /^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]+|Q_OBJECT|Q_GADGET)(\([^()\n;]*\))?[ \t\r]*$/gm;

/** Macros before a declaration on its line: `FOO_API int f();`, `FOO_INLINE auto g()`. */
const LEADING_MACRO =
  /^([ \t]*(?:(?:static|inline|extern|template[ \t]*<[^<>\n]*>)[ \t]+)*)([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=[ \t]+[A-Za-z_~:][\w:<>*& \t,]*\b[\w~]+[ \t]*(?:\(|=|;|\{|::))/gm;

/** Macros that hold the type of a declaration: `FOO_PUBLIC(char *) f(`. */
const TYPE_HOLDER = /^([ \t]*)([A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*\()([^()\n]*[\w*][ \t]*)(\))(?=[ \t]*\w+[ \t]*\()/gm;

/** Macros between the parameters of a function and its body: `) FOO_NOEXCEPT {`. */
const TRAILING_MACRO = /(\)[ \t]*(?:const[ \t]*)?)([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=\s*(?:\{|;|->|override\b|=\s*0))/g;

/** Old macros around parameter lists: `OF((int a))`. */
const OLD_PARAMETERS = /\b(?:__?P|OF|PARAMS|PROTO|ARGS)(\()(?=\([^()]*\)(\)))/g;

/** Text of the same length and lines. */
export function prepared(text: string): string {
  if (!/[A-Z]{2}|__cplusplus/.test(text)) return text;
  let out = text;
  if (text.includes('cplusplus')) out = out.replace(LINKAGE, (_, head: string, brace: string) => head + blank(brace));
  out = out.replace(TYPE_MACRO, (whole: string, macro: string) => whole.replace(macro, () => blank(macro)));
  out = out.replace(LONE_MACRO, (whole: string, ...rest: unknown[]) => (standsAlone(out, Number(rest[2]), whole.length) ? blank(whole) : whole));
  out = out.replace(TYPE_HOLDER, (_, before: string, macro: string, type: string) => `${before}${blank(macro)}${type} `);
  out = out.replace(LEADING_MACRO, (whole: string, before: string, macro: string) => `${before}${blank(macro)}${whole.slice(before.length + macro.length)}`);
  out = out.replace(TRAILING_MACRO, (_, before: string, macro: string, ...rest: unknown[]) =>
    opensDeclaration(out, Number(rest[0])) ? before + blank(macro) : before + macro,
  );
  return out.replace(OLD_PARAMETERS, whole => blank(whole));
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** Nothing before or behind the line needs it: a declaration ended above and another begins below. */
function standsAlone(text: string, start: number, length: number): boolean {
  let before = start - 1;
  while (before >= 0 && /\s/.test(text.charAt(before))) before--;
  const above = text.slice(text.lastIndexOf('\n', before) + 1, before + 1);
  const ends = before < 0 || /[;{}>:)]/.test(text.charAt(before)) || /^\s*(?:#|\/\/)|\*\/$|^\s*[A-Z][A-Z0-9_]+$/.test(above);
  if (!ends || /[^:]:$|^\s*case\b|\?/.test(above.replace(/^\s*(?:public|protected|private)\s*:$/, ''))) return false;
  const below = text.slice(start + length).match(/^\s*(\S{1,12})/)?.[1] ?? '';
  return /^(?:[A-Za-z_~#@[]|\/[/*]|:::?[A-Za-z]|\}|$)/.test(below) && !(below.startsWith('}') && text.charAt(before) !== ';' && text.charAt(before) !== '}');
}

/** The parenthesis that closes before a trailing macro belongs to a declaration: no operator, `if` or `return` opens the line. */
function opensDeclaration(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return !/^\s*(?:if|while|for|switch|return|#|else)\b/.test(line);
}
