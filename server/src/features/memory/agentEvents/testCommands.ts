import { maskCommand } from '../../../base/secretText';
import { frameworksStartedBy } from '../../testSelection/frameworks';
import { countsIn } from '../../testSelection/outcome';

export interface TestResult {
  /** As it was typed, on one line, without what looks like a secret. */
  readonly command: string;
  readonly passed: number;
  readonly failed: number;
  /** Paths that the command names. */
  readonly files: readonly string[];
}

const COMMAND_LENGTH = 200;
const MAX_FILES = 20;

/** What a command that runs tests came to; `undefined` for any other, and for one that ran no tests. A failure without a report counts as one. */
export function testResultOf(command: string, output: string, hasFailed: boolean): TestResult | undefined {
  const frameworks = frameworksStartedBy(command);
  if (frameworks.length === 0) return undefined;
  const counts = frameworks.map(({ id }) => countsIn(id, output)).find(({ failed, passed }) => passed + failed > 0) ?? { passed: 0, failed: 0 };
  const failed = counts.failed === 0 && hasFailed ? 1 : counts.failed;
  if (counts.passed + failed === 0) return undefined;
  return { command: maskCommand(command.replace(/\s+/g, ' ').trim()).slice(0, COMMAND_LENGTH), passed: counts.passed, failed, files: filesIn(command) };
}

/** Words of a command that look like files: `tests/test_cli.py::test_help` names its file. */
function filesIn(command: string): readonly string[] {
  const words = command.split(/\s+/).map(word => word.replace(/^['"]|['"]$/g, '').split('::', 1)[0] ?? '');
  return [...new Set(words.filter(word => /^[\w./@+-]*\w\.[a-z]{1,5}$/i.test(word) && !word.startsWith('-') && /[./]/.test(word) && !/^\d/.test(word)))].slice(
    0,
    MAX_FILES,
  );
}
