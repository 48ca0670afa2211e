interface Failure {
  readonly name: string;
  readonly why: readonly string[];
}
interface Outcome {
  readonly passed: number;
  readonly failures: readonly Failure[];
}
export function filesToRunAgain(failures: readonly Failure[]): readonly string[];
export function bothTimes(first: Outcome, second: Outcome): Outcome & { readonly flaky: readonly Failure[] };
