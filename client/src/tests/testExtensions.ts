import type { SelectedTest } from '../../../server/protocol/features';

/** An extension that runs and debugs tests of a framework, and the setting that has to be on for it. */
export interface TestExtension {
  readonly id: string;
  readonly name: string;
  readonly setting?: string;
}

const JAVA: TestExtension = { id: 'vscjava.vscode-java-test', name: 'Test Runner for Java' };

const EXTENSIONS: Readonly<Partial<Record<SelectedTest['framework'], readonly TestExtension[]>>> = {
  pytest: [{ id: 'ms-python.python', name: 'Python', setting: 'python.testing.pytestEnabled' }],
  go: [{ id: 'golang.go', name: 'Go' }],
  vitest: [{ id: 'vitest.explorer', name: 'Vitest' }],
  jest: [
    { id: 'orta.vscode-jest', name: 'Jest' },
    { id: 'firsttris.vscode-jest-runner', name: 'Jest Runner' },
  ],
  mocha: [{ id: 'hbenl.vscode-mocha-test-adapter', name: 'Mocha Test Explorer' }],
  playwright: [{ id: 'ms-playwright.playwright', name: 'Playwright Test' }],
  cargo: [{ id: 'rust-lang.rust-analyzer', name: 'rust-analyzer' }],
  maven: [JAVA],
  gradle: [JAVA],
  dotnet: [{ id: 'ms-dotnettools.csdevkit', name: 'C# Dev Kit' }],
  phpunit: [{ id: 'recca0120.vscode-phpunit', name: 'PHPUnit' }],
};

/** The extension that can take a test of this framework; `undefined` when none of those that are known is there and switched on. */
export function testExtension(
  framework: string,
  { has, isOn }: { readonly has: (id: string) => boolean; readonly isOn: (setting: string) => boolean },
): TestExtension | undefined {
  return known(framework).find(({ id, setting }) => has(id) && (setting === undefined || isOn(setting)));
}

/** What to install to debug tests of a framework. */
export function suggestedExtension(framework: string): TestExtension | undefined {
  return known(framework)[0];
}

function known(framework: string): readonly TestExtension[] {
  return Object.hasOwn(EXTENSIONS, framework) ? (EXTENSIONS[framework as SelectedTest['framework']] ?? []) : [];
}
