import type { ExpressionRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { countDecision } from '../../../walk/frames';
import type { ClassGuard } from '../../../walk/guards';
import { guardsOf, narrow } from '../statements/narrowing';
import { type Frame, type Walk } from '../walk';

/** `match (x) { a, b => v, default => w }`: any of the results. With `match (true)` a lone condition narrows its result. */
export function matchValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  walk.value(condition, frame);
  const isTrue = /^\(\s*true\s*\)$/i.test(file.text(condition));
  const rows: ExpressionRow[] = [];
  for (const arm of file.children(file.child(node, 'body'))) {
    countDecision(frame);
    const tests = file.children(file.child(arm, 'conditional_expressions'));
    let guards: readonly ClassGuard[] = [];
    for (const test of tests) {
      walk.value(test, frame);
      if (isTrue && tests.length === 1) guards = guardsOf(file, test, true);
    }
    const result = file.child(arm, 'return_expression');
    if (result === NO_NODE) continue;
    const row = walk.value(result, narrow(file, guards, frame));
    if (!file.is(result, 'throw_expression')) rows.push(row);
  }
  return file.either(rows);
}
