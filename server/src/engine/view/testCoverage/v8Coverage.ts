import { type FileLines, lineReport } from './lineReport';

type Json = Readonly<Record<string, unknown>>;
interface Range {
  readonly start: number;
  readonly end: number;
  readonly ran: boolean;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * What V8 wrote at the end of processes (`NODE_V8_COVERAGE`, c8), one text each, as a report. `textOf` gives the source of a script by its `file:` URL, and
 * `undefined` for those that are of no interest. A line ran when any of it did in any process. Texts that are no such file are left out; `undefined` when all are.
 * Scripts with a source map ran as something else than what is on the disk: they are left out.
 */
export async function v8Report(texts: readonly string[], textOf: (url: string) => Promise<string | undefined>): Promise<string | undefined> {
  const files = new Map<string, FileLines>();
  const read = texts
    .map(parsed)
    .filter(isObject)
    .filter(each => Array.isArray(each['result']));
  if (read.length === 0) return undefined;
  for (const each of read) {
    const mapped = isObject(each['source-map-cache']) ? each['source-map-cache'] : {};
    for (const script of list(each['result'])) {
      if (!isObject(script) || typeof script['url'] !== 'string' || !script['url'].startsWith('file:') || Object.hasOwn(mapped, script['url'])) continue;
      const text = await textOf(script['url']);
      if (text === undefined) continue;
      const path = decodeURIComponent(new URL(script['url']).pathname).replace(/^\/(?=[A-Za-z]:\/)/, '');
      files.set(path, merged(files.get(path), linesRun(text, rangesOf(script))));
    }
  }
  return lineReport('V8', files);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Outer ranges first: what is inside decides for itself. */
function rangesOf(script: Json): readonly Range[] {
  const ranges = list(script['functions']).flatMap(each => (isObject(each) ? list(each['ranges']) : []));
  return ranges
    .flatMap(range => (isObject(range) ? [{ start: Number(range['startOffset']), end: Number(range['endOffset']), ran: Number(range['count']) > 0 }] : []))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** What a line may hold and yet do nothing: brackets, marks, comments. */
const NOTHING = /^(?:[\s()[\]{};,]|\/\/.*|\/\*.*?(?:\*\/|$)|\*.*|else\b|try\b)*$/;

function linesRun(text: string, ranges: readonly Range[]): FileLines {
  const ran = new Uint8Array(text.length).fill(1);
  for (const range of ranges) ran.fill(range.ran ? 1 : 0, range.start, range.end);
  const lines = { ran: new Set<number>(), missing: new Set<number>() };
  let start = 0;
  let isComment = false;
  for (const [at, line] of text.split('\n').entries()) {
    const inside: boolean = isComment;
    isComment = inside ? !line.includes('*/') : /^\s*\/\*/.test(line) && !line.includes('*/');
    if (!inside && !NOTHING.test(line)) {
      const first = start + line.search(/\S/);
      (ran.subarray(first, start + line.trimEnd().length).includes(1) ? lines.ran : lines.missing).add(at + 1);
    }
    start += line.length + 1;
  }
  return lines;
}

function merged(before: FileLines | undefined, now: FileLines): FileLines {
  if (before === undefined) return now;
  const ran = new Set([...before.ran, ...now.ran]);
  return { ran, missing: new Set([...before.missing, ...now.missing].filter(line => !ran.has(line))) };
}
