/**
 * Tells of the builds of `npm run watch` in lines that an editor can follow (the problem matcher in .vscode/tasks.json):
 *   [watch] building
 *   src/a.ts:3:8: error: Could not resolve "./b"
 *   [watch] built, 1 error
 * Several bundles are built at once: it begins with the first of them and ends with the last.
 */
export function watchReport(write = line => console.log(line)) {
  let running = 0;
  let errors = 0;
  return {
    name: 'watch-report',
    setup(build) {
      build.onStart(() => {
        if (running++ > 0) return;
        errors = 0;
        write('[watch] building');
      });
      build.onEnd(result => {
        for (const [severity, messages] of [
          ['error', result.errors],
          ['warning', result.warnings],
        ]) {
          for (const { location, text } of messages)
            write(location === null ? `${severity}: ${text}` : `${location.file}:${location.line}:${location.column + 1}: ${severity}: ${text}`);
        }
        errors += result.errors.length;
        if (--running === 0) write(`[watch] built, ${errors} error${errors === 1 ? '' : 's'}`);
      });
    },
  };
}
