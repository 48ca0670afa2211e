/** Confidences stand in one table (`SOURCES` and `CEILINGS` in model/evidence): writers of sites name a row of it and write no number. */

const WRITERS = /^server\/src\/code\/resolve\/(?:sites\/|precise\/|guesses\.ts$)/;
const NUMBER = /(?<![\w.])\d?\.\d+\b|\bconfidence: *\d/;

/** Places in a file where a confidence is written as a number, as `line: text`; empty for files of other rooms. */
export function confidencesIn(path, text) {
  if (!WRITERS.test(path)) return [];
  return text.split('\n').flatMap((line, index) => {
    const found = /^\s*(?:\*|\/[/*])/.test(line) ? null : NUMBER.exec(line);
    return found === null ? [] : [`${index + 1}: ${found[0]}`];
  });
}
