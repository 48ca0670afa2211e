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
const LONE_MACRO = /^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]+|Q_OBJECT|Q_GADGET)(\((?:[^()\n;]|\([^()\n;]*\))*\))?[ \t\r]*(?:\/\/[^\n]*)?$/gm;

/** Macros for access specifiers, and those of Qt: `FOO_PRIVATE:`, `public slots:`, `signals:`. */
const ACCESS_MACRO = /^[ \t]*(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|signals)[ \t]*:(?=[ \t\r]*$)/gm;
const SLOTS = /\b(public|private|protected)[ \t]+(?:slots|Q_SLOTS)(?=[ \t]*:)/g;

/** Macros before a declaration on its line: `FOO_API int f();`, `FOO_INLINE auto g()`. */
const LEADING_MACRO =
  /^([ \t]*(?:(?:static|inline|extern|template[ \t]*<[^<>\n]*>)[ \t]+)*)([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=[ \t]+(?:operator[ \t]+\w|[A-Za-z_~:][\w:<>*& \t,]*\b(?:[\w~]+[ \t]*(?:\(|=|;|\{|::)|>[ \t]*\(|operator\b)))/gm;

/** Macros before a constructor or destructor: `FOO_CONSTEXPR Name() : x_(0) {`. */
const CONSTRUCTOR_MACRO = /^([ \t]*(?:explicit[ \t]+)?)([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]+(?:explicit[ \t]+)?~?([A-Za-z_]\w*)[ \t]*\()/gm;
const TYPE_NAME = /\b(?:class|struct|union)[ \t]+(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]+)?([A-Za-z_]\w*)/g;

/** Instances of templates that another file makes declare nothing, and the grammar does not know those with a result behind. */
const EXTERN_TEMPLATE = /^[ \t]*extern[ \t]+template\b[^;{}#]*;/gm;

/** `if FOO_CONSTEXPR (…)`. */
const CONDITION_MACRO = /(?<!#[ \t]*)\b(if[ \t]+)([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]*\()/g;

/** Macros for `try` and `catch`: `FOO_TRY {`, `} FOO_CATCH(…) {`. What is left are blocks. */
const TRY_MACRO = /^([ \t]*(?:\}[ \t]*)?)([A-Z][A-Z0-9_]*_(?:TRY|CATCH(?:_ALL|_ANY)?)(?:[ \t]*\([^()\n]*\))?)(?=[ \t]*(?:\/\/[^\n]*)?\r?\n?[ \t]*\{)/gm;

/** What the grammar does not know: a cast to one of these words inside an expression, `= {}` of a parameter, the type behind an `enum` without a name, `a->operator[](b)`. */
const SHORT_CAST = /((?:[=(,|&+*/%?:!-]|\breturn|[<>](?=[ \t]))[ \t]*)(unsigned|signed|long|short)(?=\((?!\s*[*)]))/g;
const INDEX_OPERATOR = /(?:->|\.)(operator[ \t]*\[\]\()([^()]*)\)/g;
const EMPTY_DEFAULT = /(=[ \t]*)\{[ \t]*\}(?=\s*[,)])/g;
const ENUM_TYPE = /\b(enum[ \t]*)(:[ \t]*[\w:]+(?:[ \t]+\w+)*)(?=[ \t]*\{)/g;

/** Macros before the keyword of a declaration: `FOO_EXPORT template <…>`. */
const KEYWORD_MACRO =
  /^([ \t]*)([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]+(?:template|class|struct|enum|union|namespace|using|typedef|extern|static|inline|constexpr|friend|virtual|explicit)\b)/gm;

/** Macros that are a parameter of a template: `template <typename T, FOO_ENABLE_IF(…)>`. */
const PARAMETER_MACRO = /([,<]\s*)([A-Z][A-Z0-9]*_[A-Z0-9_]+\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))(?=\s*>)/g;

/** Macros that hold the type of a declaration: `FOO_PUBLIC(char *) f(`. */
const TYPE_HOLDER = /^([ \t]*)([A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*\()([^()\n]*[\w*][ \t]*)(\))(?=[ \t]*\w+[ \t]*\()/gm;

/** Macros between the parameters of a function and its body: `) FOO_NOEXCEPT {`. */
const TRAILING_MACRO =
  /(\)\s*(?:const\s*)?)([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=\s*(?:\{|;|->|:(?!:)|override\b|=\s*0|[A-Z][A-Z0-9]*_))/g;

/** Macros behind the name of a variable: `int x_ GUARDED_BY(mutex_);`. */
const VARIABLE_MACRO = /(\b[A-Za-z_]\w*(?:\[[^\][\n]*\])?\s+)([A-Z][A-Z0-9]*_[A-Z0-9_]+\((?:[^()\n]|\([^()\n]*\))*\))(?=\s*[;={])/g;
const KEYWORD = /\b(?:return|else|do|throw|case|goto|new|delete|co_return|co_yield|co_await|typedef|namespace)\s+$/;

/** `__has_include(<x.h>)` is no expression to the grammar. */
const HAS_INCLUDE = /(?<!#[ \t]*define[ \t]+)\b(?:[A-Z][A-Z0-9]*_HAS_INCLUDE|__has_(?:include|attribute|builtin|feature|cpp_attribute))[ \t]*\([^)\n]*\)/g;

/** Comments inside definitions of macros of several lines end them for the grammar. */
const LONG_MACRO = /^[ \t]*#[ \t]*define\b(?:[^\n]*\\\r?\n)+[^\n]*/gm;

/** Macros of the file itself that stand for specifiers or for nothing: they are blanked wherever they are used. */
const SPECIFIER_MACRO =
  /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]*((?:[ \t]*(?:static|inline|extern|const|constexpr|noexcept|register|volatile|restrict|_Noreturn|__inline|__inline__|__forceinline|__restrict|__extension__|extern[ \t]+"C"|__attribute__[ \t]*\(\([^\n]*\)\)|__declspec[ \t]*\([^\n()]*\)|\[\[[^\n]*\]\]))*)[ \t\r]*(?:\/[/*][^\n]*)?$/gm;

/** Old macros around parameter lists: `OF((int a))`. */
const OLD_PARAMETERS = /\b(?:__?P|OF|PARAMS|PROTO|ARGS)(\()(?=\([^()]*\)(\)))/g;

/** Text of the same length and lines. */
export function prepared(text: string): string {
  return withoutUnknownForms(withoutMacros(text));
}

/** What the grammar does not know in the language itself. */
function withoutUnknownForms(text: string): string {
  let out = text;
  for (const unread of [SHORT_CAST, ENUM_TYPE]) out = out.replace(unread, (_, before: string, found: string) => before + blank(found));
  out = out.replace(INDEX_OPERATOR, (whole: string, _name: string, index: string) => `[${index}]`.padStart(whole.length));
  return out.replace(EMPTY_DEFAULT, (whole: string, before: string) => `${before}0`.padEnd(whole.length));
}

function withoutMacros(text: string): string {
  if (!/[A-Z]{2}|__cplusplus|#[ \t]*(?:define|if)/.test(text)) return text;
  let out = withoutInnerConditions(withoutSpecifiers(text)).replace(LONG_MACRO, macro => macro.replace(/\/\*[^\n]*?\*\//g, blank));
  if (text.includes('cplusplus')) out = out.replace(LINKAGE, (_, head: string, brace: string) => head + blank(brace));
  out = out.replace(TYPE_MACRO, (whole: string, macro: string) => whole.replace(macro, () => blank(macro)));
  out = out.replace(ACCESS_MACRO, blank).replace(SLOTS, (whole, access: string) => access.padEnd(whole.length));
  out = withoutLoneMacros(out);
  out = out.replace(KEYWORD_MACRO, (_, before: string, macro: string) => before + blank(macro));
  out = out.replace(PARAMETER_MACRO, (_, before: string, macro: string) => `${before}int${blank(macro.slice(3))}`);
  out = out.replace(TYPE_HOLDER, (_, before: string, macro: string, type: string) => `${before}${blank(macro)}${type} `);
  // Two may stand one behind the other.
  for (let round = 0; round < 2; round++)
    out = out.replace(LEADING_MACRO, (whole: string, before: string, macro: string) => `${before}${blank(macro)}${whole.slice(before.length + macro.length)}`);
  out = withoutConstructorMacros(out).replace(EXTERN_TEMPLATE, blank);
  for (const macro of [CONDITION_MACRO, TRY_MACRO]) out = out.replace(macro, (_, before: string, found: string) => before + blank(found));
  out = out.replace(TRAILING_MACRO, (whole: string, before: string, macro: string, at: number) => (closesParameters(out, at) ? before + blank(macro) : whole));
  out = out.replace(VARIABLE_MACRO, (whole: string, before: string, macro: string, at: number) =>
    KEYWORD.test(before) || isComment(out, at) ? whole : before + blank(macro),
  );
  out = out.replace(HAS_INCLUDE, found => '1'.padEnd(found.length));
  return out.replace(OLD_PARAMETERS, whole => blank(whole));
}

/** Without macros before constructors and destructors, which are known by the names of the types of the file. */
function withoutConstructorMacros(text: string): string {
  const types = new Set<string>();
  for (const [, name = ''] of text.matchAll(TYPE_NAME)) types.add(name);
  return text.replace(CONSTRUCTOR_MACRO, (whole: string, before: string, macro: string, name: string) => (types.has(name) ? before + blank(macro) : whole));
}

/** Without the macros that the file defines as specifiers; directives stay as they are. */
function withoutSpecifiers(text: string): string {
  const names = new Set<string>();
  for (const match of text.matchAll(SPECIFIER_MACRO)) if (match[1] !== undefined && !/_(?:H|HH|HPP|INCLUDED)_*$/i.test(match[1])) names.add(match[1]);
  if (names.size === 0) return text;
  const uses = new RegExp(`^[ \\t]*#(?:[^\\n]*\\\\\\r?\\n)*[^\\n]*|"(?:[^"\\\\\\n]|\\\\.)*"|\\b(?:${[...names].join('|')})\\b(?![ \\t]*\\()`, 'gm');
  return text.replace(uses, found => (names.has(found) ? blank(found) : found));
}

/** Conditions inside an expression or a list keep their first branch alone, without their directives: the grammar reads conditions between statements only. */
function withoutInnerConditions(text: string): string {
  if (!/^[ \t]*#[ \t]*if/m.test(text)) return text;
  const lines = text.split('\n');
  const stack: { readonly isInside: boolean; isKept: boolean }[] = [];
  let above = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|else|endif)\b/.exec(line)?.[1];
    const skips = stack.some(entry => entry.isInside && !entry.isKept);
    if (directive === undefined) {
      if (skips) lines[at] = blank(line);
      else if (!/^[ \t]*(?:#|\/\/|\*|\/\*|$)/.test(line)) above = line;
      continue;
    }
    if (directive.startsWith('if')) stack.push({ isInside: skips || isInside(above, lines, at), isKept: true });
    const top = stack.at(-1);
    if (top === undefined) continue;
    if (directive.startsWith('el')) top.isKept = false;
    if (top.isInside) lines[at] = blank(line);
    if (directive === 'endif') stack.pop();
  }
  return lines.join('\n');
}

/** True when the code around a condition is one expression: it goes on behind the line above, or with the first line of the condition. */
function isInside(above: string, lines: readonly string[], at: number): boolean {
  const before = above.replace(/\/\/.*$|\/\*.*?\*\//g, '').trim();
  if (
    /(?:^:|\)\s*:|[(=?|]|&&|[^+]\+|[^-]-|\/|<<|\breturn|\btemplate\s*<[^>]*)$/.test(before) ||
    /=\s*\{$|^template\s*<.*>$|::value\)?>$|>\s*,$/.test(before) ||
    (before.endsWith(',') && /[(<][^()<>]*,$|&&|^(?:typename|class)\b/.test(before))
  )
    return true;
  for (let next = at + 1; next < lines.length && next < at + 6; next++) {
    const code = (lines[next] ?? '').trim();
    if (code === '' || code.startsWith('#') || code.startsWith('//')) continue;
    return /^(?:[,?)]|&&|\|\||:(?!:)|<<|\+ |== )/.test(code);
  }
  return false;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** Lines with a macro alone are blanked; those that begin and end a namespace by their name do so. */
function withoutLoneMacros(text: string): string {
  let open = 0;
  return text.replace(LONE_MACRO, (whole: string, macro: string, _arguments: unknown, at: number) => {
    if (!standsAlone(text, at, whole.length)) return whole;
    const space = openedBy(macro);
    if (space !== undefined && !new RegExp(`^[ \\t]*namespace\\s+${space}\\b`, 'm').test(text.slice(Math.max(0, at - 400), at))) {
      open++;
      return `namespace ${space}{`.padEnd(whole.length);
    }
    if (open > 0 && /(?:END_(?:[A-Z0-9]+_)?NAMESPACE|NAMESPACE_END|CLOSE_NAMESPACE|NAMESPACE_CLOSE)$/.test(macro)) {
      open--;
      return '}'.padEnd(whole.length);
    }
    return blank(whole);
  });
}

const SPACE_BEGIN =
  /^(?!QT_)(?<library>[A-Z][A-Z0-9]*)_(?:(?:\w*_)?(?:BEGIN_NAMESPACE|NAMESPACE_BEGIN|OPEN_NAMESPACE|NAMESPACE_OPEN)|BEGIN_(?<inner>[A-Z][A-Z0-9]*)_NAMESPACE)$/;

/** Namespace that a macro opens by its name: `FOO_BEGIN_NAMESPACE` that of the library, `FOO_BEGIN_DETAIL_NAMESPACE` the one inside it. */
function openedBy(macro: string): string | undefined {
  const groups = SPACE_BEGIN.exec(macro)?.groups;
  return (groups?.['inner'] ?? groups?.['library'])?.toLowerCase();
}

/** Nothing before or behind the line needs it: a declaration ended above and another begins below. */
function standsAlone(text: string, start: number, length: number): boolean {
  if (/\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start))) return false;
  const above = lineAbove(text, start);
  if (
    !/^$|[;{}>:)]$|^#|^[A-Z][A-Z0-9_]+$/.test(above) ||
    (above.endsWith(':') && !/^(?:public|protected|private)\s*:$/.test(above)) ||
    /^case\b|\?/.test(above)
  )
    return false;
  const below = /^\s*(\S{1,12})/.exec(text.slice(start + length, start + length + 400))?.[1] ?? '';
  return /^(?:[A-Za-z_~#@[]|\/[/*]|:::?[A-Za-z]|\}|$)/.test(below) && !(below.startsWith('}') && !/[;}]$/.test(above));
}

/** The nearest line above that says something, without its comment; '' at the start of the file. */
function lineAbove(text: string, start: number): string {
  for (let end = start - 1, steps = 0; end > 0 && steps < 50; steps++) {
    const from = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(from, end).trim();
    if (line.endsWith('*/')) {
      end = text.lastIndexOf('/*', end);
      continue;
    }
    const code = line.startsWith('#') ? '#' : line.replace(/\/\/.*$|\/\*.*?\*\//g, '').trim();
    if (code !== '') return code;
    end = from - 1;
  }
  return '';
}

/** Longest list of parameters that is looked through. */
const MAX_LIST_LENGTH = 2000;

/** The parenthesis that closes at an offset belongs to a declaration: no `if`, `while` or the like stands before the one that opens. */
function closesParameters(text: string, close: number): boolean {
  if (isComment(text, close)) return false;
  let depth = 0;
  for (let at = close; at >= 0 && at > close - MAX_LIST_LENGTH; at--) {
    const char = text.charCodeAt(at);
    if (char === 41) depth++;
    else if (char === 40 && --depth === 0) return !/\b(?:if|while|for|switch|return|catch)\s*$/.test(text.slice(Math.max(0, at - 12), at));
  }
  return false;
}

/** True behind a comment mark on its line, and in directives. */
function isComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at + 1);
  return /\/\/|^\s*(?:#|\*|\/\*)/.test(line);
}
