/**
 * Hints say what to do next. Tools and parameters have another name at every door (an agent calls `search_code`, a person types `lattice search`),
 * so a hint that mentions them is made of parts, and each door puts them in its own words.
 */

type Value = string | number | boolean;

/** Another tool, with the parameters to call it with. */
export interface ToolMention {
  readonly tool: string;
  readonly input?: Readonly<Record<string, Value>>;
}

/** A parameter of the tool that was called, with the value to give it. */
export interface ParameterMention {
  readonly parameter: string;
  readonly value?: Value;
}

export type HintPart = string | ToolMention | ParameterMention;
export type Hint = string | readonly HintPart[];

export function toolRef(tool: string, input?: ToolMention['input']): ToolMention {
  return input === undefined ? { tool } : { tool, input };
}

export function paramRef(parameter: string, value?: Value): ParameterMention {
  return value === undefined ? { parameter } : { parameter, value };
}

/** A hint as it is written: its texts, with mentions between them. */
export function phrase(texts: TemplateStringsArray, ...values: readonly (HintPart | Hint | number)[]): Hint {
  return compact(texts.flatMap((text, at) => [text, ...partsOfHint(at < values.length ? spelled(values[at]) : '')]));
}

/** Hints one after the other. */
export function joinHints(hints: readonly Hint[]): Hint {
  return compact(hints.filter(hint => hint.length > 0).flatMap((hint, at) => [...(at === 0 ? [] : [' ']), ...partsOfHint(hint)]));
}

/** The hint with every text and mention in the words of one door. */
export function hintText(
  hint: Hint,
  words: { readonly tool: (mention: ToolMention) => string; readonly parameter: (mention: ParameterMention) => string },
): string {
  return partsOfHint(hint)
    .map(part => (typeof part === 'string' ? part : 'tool' in part ? words.tool(part) : words.parameter(part)))
    .join('');
}

/** For who calls tools: as the schemas name them. */
export function hintForAgents(hint: Hint): string {
  return hintText(hint, {
    tool: ({ tool, input = {} }) => [tool, ...Object.entries(input).map(([key, value], at) => `${at === 0 ? 'with' : 'and'} ${key} ${value}`)].join(' '),
    parameter: ({ parameter, value }) =>
      value === undefined
        ? parameter
        : typeof value === 'string'
          ? `${parameter} '${value}'`
          : typeof value === 'boolean'
            ? `${parameter}: ${value}`
            : `${parameter} ${value}`,
  });
}

function partsOfHint(hint: Hint): readonly HintPart[] {
  return typeof hint === 'string' ? [hint] : hint;
}

function spelled(value: HintPart | Hint | number | undefined): Hint {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' || isParts(value) ? value : [value];
}

function isParts(value: HintPart | readonly HintPart[]): value is readonly HintPart[] {
  return Array.isArray(value);
}

/** Neighboring texts as one; a text alone is no list. */
function compact(parts: readonly HintPart[]): Hint {
  const joined: HintPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part === '') continue;
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = `${last}${part}`;
    else joined.push(part);
  }
  const [only] = joined;
  return joined.length === 0 ? '' : joined.length === 1 && typeof only === 'string' ? only : joined;
}
