/** Words of a task that are written like code: behind backticks, with a call's parentheses, behind a qualifier, or in a case that prose does not have. */
const SPELLED = /`(?<quoted>[^`\n]+)`|(?<word>[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*)(?<call>\()?/gu;
/** `snake_case`, `camelCase`, `PascalCase` of two words, a leading underscore. */
const CASED = /^_|\p{L}_\p{L}|\p{Ll}\p{Lu}/u;
const QUALIFIER = /\.|::|#|->/;
const MIN_NAME_LENGTH = 3;

/** Names of symbols that a task spells out, each without what stands before it: `Flask.wsgi_app` names `wsgi_app`. */
export function namesInTask(task: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { groups } of task.matchAll(SPELLED)) {
    const { call, quoted, word = '' } = groups ?? {};
    const whole = quoted === undefined ? word : quoted.replace(/\(.*$/, '').trim();
    const parts = whole.split(QUALIFIER);
    const last = parts.at(-1) ?? '';
    const isCode = quoted !== undefined || call !== undefined || parts.length > 1 || CASED.test(last);
    if (isCode && last.length >= MIN_NAME_LENGTH && !/\s/.test(last)) names.add(last);
  }
  return names;
}
