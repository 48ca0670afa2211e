/** The page `docs/accuracy.md` from what `run.mjs` measured. */

const LANGUAGES = { typescript: 'TypeScript', javascript: 'JavaScript', python: 'Python', go: 'Go', java: 'Java', rust: 'Rust', ruby: 'Ruby' };
const SUITES = { pycg: 'PyCG', 'swarm-js': 'SWARM-CG JavaScript', 'cats-java': 'SWARM-CG CATS' };

export function accuracyPage(results, bins) {
  const rows = Object.entries(results.graph).sort(([, left], [, right]) => order(left.language) - order(right.language));
  return `# Accuracy

How often Lattice's edges are right, and how many of the true ones it has. Written by \`npm run accuracy\`; nothing here is typed by hand.

## Against compilers

Truth: edges that compilers and type checkers give for public repositories. Asserted: edges with a confidence of 0.5 or more. Precision / recall in percent, F1 for imports and inheritance; strict means that qualified names must be equal. Callbacks and overriding methods are neither rewarded nor punished; sites that the oracle itself cannot resolve are left out.

| Language | Repository | Oracle | True calls | Calls P / R | Calls F1 | Strict F1 | Imports F1 | Inherits F1 |
|---|---|---|--:|--:|--:|--:|--:|--:|
${rows
  .map(
    ([, row]) =>
      `| ${LANGUAGES[row.language] ?? row.language} | ${row.repo}@${row.commit.slice(0, 8)} | ${row.oracle} | ${row.calls.truth} | ${percent(row.calls.precision)} / ${percent(row.calls.recall)} | ${percent(row.calls.f1)} | ${percent(row.strict.f1)} | ${measured(row.imports)} | ${measured(row.inherits)} |`,
  )
  .join('\n')}

## Against what ran

Truth: the direct calls that happened while the test suites of public repositories ran, as pairs of functions; recall only, since no suite runs everything. Asserted: with a confidence of 0.5 or more; candidates are those below. What is missing is mostly one call of many implementations (\`app.call\` in Rack), of which at most one can be asserted.

| Language | Repository | Calls | Asserted | With candidates |
|---|---|--:|--:|--:|
${Object.values(results.runtime ?? {})
  .map(
    row =>
      `| ${LANGUAGES[row.language] ?? row.language} | ${row.repo}@${row.commit.slice(0, 8)} | ${row.truth} | ${percent(row.asserted / row.truth)} | ${percent((row.asserted + row.candidate) / row.truth)} |`,
  )
  .join('\n')}

## Call-graph micro-benchmarks

| Suite | Language | True edges | P / R |
|---|---|--:|--:|
${Object.entries(results.suites)
  .map(
    ([name, row]) =>
      `| ${SUITES[name] ?? name} | ${LANGUAGES[row.language] ?? row.language} | ${row.truth} | ${row.recallOnly ? '–' : percent(row.precision)} / ${percent(row.recall)} |`,
  )
  .join('\n')}

Some differences are meant: a class without a constructor is still the target of its instantiation, applying a decorator is DECORATES and not a call, and raising a class is RAISES.

## Calibration

An edge says how sure it is. Right is the share of the calls at that confidence that the oracles confirm, over all repositories above; candidates (implementations behind an interface, few bearers of a name) stand below 0.5 and are never asserted.

| Confidence | Judged | Right |
|---|--:|--:|
${bins.map((low, index) => binRow(rows, bins, low, index)).join('\n')}

## Languages without an oracle

C#, C, C++, PHP, Ruby and Kotlin are held to marked snippets (\`test/fixtures/resolve\`) and to spot checks of 30 random edges each in a real repository, read by hand: [spot-checks.md](spot-checks.md).

## How to measure

\`\`\`sh
npm run build
npm run accuracy -- --kit KIT --corpora CLONES
\`\`\`

\`KIT\` is the evaluation kit with the derived truth, \`CLONES\` the folder with clones of its repositories. \`--repos\` and \`--suites\` measure a part, \`--results FILE\` keeps the figures of the others.
`;
}

function binRow(rows, bins, low, index) {
  const sum = rows.reduce((total, [, row]) => ({ judged: total.judged + (row.bins[index]?.judged ?? 0), right: total.right + (row.bins[index]?.right ?? 0) }), {
    judged: 0,
    right: 0,
  });
  const high = bins[index - 1];
  return `| ${high === undefined ? `≥ ${low}` : `${low} to ${high}`} | ${sum.judged} | ${sum.judged === 0 ? '–' : `${percent(sum.right / sum.judged)} %`} |`;
}

function order(language) {
  return Object.keys(LANGUAGES).indexOf(language);
}

function measured(row) {
  return row.truth === 0 ? '–' : percent(row.f1);
}

function percent(share) {
  return share === null || share === undefined ? '–' : (100 * share).toFixed(1);
}
