/** A reporter of Node's test runner: one line of JSON for each case that ended, `{ file, names, passed }`, groups outermost first. */
export default async function* reportCases(events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      names.length = data.nesting;
      names.push(data.name);
    }
    if ((type === 'test:pass' || type === 'test:fail') && data.details?.type !== 'suite')
      yield `${JSON.stringify({ file: data.file, names: names.slice(0, data.nesting + 1), passed: type === 'test:pass' })}\n`;
  }
}
