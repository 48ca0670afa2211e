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
const TRAILING_MACRO =
  /(\)\s*(?:const\s*)?)([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=\s*(?:\{|;|->|:(?!:)|override\b|=\s*0|[A-Z][A-Z0-9]*_))/g;

/** Macros behind the name of a variable: `int x_ GUARDED_BY(mutex_);`. */
const VARIABLE_MACRO = /(\b[A-Za-z_]\w*(?:\[[^\][\n]*\])?\s+)([A-Z][A-Z0-9]*_[A-Z0-9_]+\((?:[^()\n]|\([^()\n]*\))*\))(?=\s*[;={])/g;
const KEYWORD = /\b(?:return|else|do|throw|case|goto|new|delete|co_return|co_yield|co_await|typedef|namespace)\s+$/;

/** `__has_include(<x.h>)` is no expression to the grammar. */
const HAS_INCLUDE = /__has_(?:include|attribute|builtin|feature|cpp_attribute)[ \t]*\([^)\n]*\)/g;

/** Macros of the file itself that stand for specifiers or for nothing: they are blanked wherever they are used. */
const SPECIFIER_MACRO =
  /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]*((?:[ \t]*(?:static|inline|extern|const|constexpr|noexcept|register|volatile|restrict|_Noreturn|__inline|__inline__|__forceinline|__restrict|__extension__|extern[ \t]+"C"|__attribute__[ \t]*\(\([^\n]*\)\)|__declspec[ \t]*\([^\n()]*\)|\[\[[^\n]*\]\]))*)[ \t\r]*(?:\/[/*][^\n]*)?$/gm;

/** Old macros around parameter lists: `OF((int a))`. */
const OLD_PARAMETERS = /\b(?:__?P|OF|PARAMS|PROTO|ARGS)(\()(?=\([^()]*\)(\)))/g;

/** Text of the same length and lines. */
export function prepared(text: string): string {
  if (!/[A-Z]{2}|__cplusplus|#[ \t]*define/.test(text)) return text;
  let out = withoutSpecifiers(text);
  if (text.includes('cplusplus')) out = out.replace(LINKAGE, (_, head: string, brace: string) => head + blank(brace));
  out = out.replace(TYPE_MACRO, (whole: string, macro: string) => whole.replace(macro, () => blank(macro)));
  out = out.replace(LONE_MACRO, (whole: string, ...rest: unknown[]) => (standsAlone(out, Number(rest[2]), whole.length) ? blank(whole) : whole));
  out = out.replace(TYPE_HOLDER, (_, before: string, macro: string, type: string) => `${before}${blank(macro)}${type} `);
  out = out.replace(LEADING_MACRO, (whole: string, before: string, macro: string) => `${before}${blank(macro)}${whole.slice(before.length + macro.length)}`);
  out = out.replace(TRAILING_MACRO, (_, before: string, macro: string, ...rest: unknown[]) =>
    opensDeclaration(out, Number(rest[0])) ? before + blank(macro) : before + macro,
  );
  out = out.replace(VARIABLE_MACRO, (whole: string, before: string, macro: string) => (KEYWORD.test(before) ? whole : before + blank(macro)));
  out = out.replace(HAS_INCLUDE, found => '1'.padEnd(found.length));
  return out.replace(OLD_PARAMETERS, whole => blank(whole));
}

/** Without the macros that the file defines as specifiers; directives stay as they are. */
function withoutSpecifiers(text: string): string {
  const names = new Set<string>();
  for (const match of text.matchAll(SPECIFIER_MACRO)) if (match[1] !== undefined && !/_(?:H|HH|HPP|INCLUDED)_*$/i.test(match[1])) names.add(match[1]);
  if (names.size === 0) return text;
  const uses = new RegExp(`^[ \\t]*#(?:[^\\n]*\\\\\\r?\\n)*[^\\n]*|"(?:[^"\\\\\\n]|\\\\.)*"|\\b(?:${[...names].join('|')})\\b(?![ \\t]*\\()`, 'gm');
  return text.replace(uses, found => (names.has(found) ? blank(found) : found));
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
