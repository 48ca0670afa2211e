/** Confidences stand in one place (the tables of model/evidence): who says how sure something is names a row of them and writes no number. */

const TABLES = 'server/src/model/evidence.ts';
/** Rooms that find out how things are linked: no fraction in them is anything but a confidence. */
const WRITERS = /^server\/src\/(?:code\/resolve\/(?:sites\/|precise\/|guesses\.ts$)|services\/|layers\/)/;
const FRACTION = /(?<![\w.\\])\d?\.\d+\b/;
/** A number for a confidence, also one of two; 0 is that of nothing found. */
const DERIVED = /\b\w*[cC]onfidence\b *[*/] *0?\.\d|(?<![\w.\\])0?\.\d+ *\* *[\w.]*[cC]onfidence\b/;
/** A constant for one; what asks for at least so much is a bound of its own. */
const NAMED = /\bconst (?!MIN_|DEFAULT_)[A-Z_]*CONFIDENCE[A-Z_]* = 0?\.\d/;
const GIVEN = /\bconfidence: *(?:\w+ \? *)?(?:0?\.\d|[1-9])/;

/** Places in a file where a confidence is written as a number, as `line: text`; empty for files outside the server. */
export function confidencesIn(path, text) {
  if (!path.startsWith('server/src/') || path === TABLES) return [];
  const patterns = WRITERS.test(path) ? [FRACTION, GIVEN] : [GIVEN, DERIVED, NAMED];
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\*|\/[/*])/.test(line)) return [];
    const found = patterns.map(pattern => pattern.exec(line)).find(match => match !== null);
    return found === undefined ? [] : [`${index + 1}: ${found[0]}`];
  });
}
