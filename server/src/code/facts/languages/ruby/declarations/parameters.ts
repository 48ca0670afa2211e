import { type BindingRow, type ExpressionRow, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { yardType } from '../docs/yard';
import type { YardForm } from '../docs/yardForm';
import type { Frame, Walk } from '../walk';

/** Bindings of the parameters of a method, block or lambda, in order. Patterns take a place and bind their parts. */
export function bindParameters(walk: Walk, list: SyntaxNode, types: ReadonlyMap<string, YardForm>, frame: Frame): void {
  const { file } = walk;
  const rows: BindingRow[] = [];
  const row = frame.body?.row ?? NONE;
  for (const parameter of file.children(list)) {
    if (file.is(parameter, 'destructured_parameter')) {
      bindPattern(walk, parameter, rows.length, frame);
      rows.push(NONE);
      continue;
    }
    const nameNode = file.is(parameter, 'identifier') ? parameter : file.child(parameter, 'name');
    if (nameNode === NO_NODE) continue;
    const text = file.text(nameNode);
    const form = types.get(text);
    let type = form === undefined || form.is === 'unknown' ? NONE : yardType(file, form, frame, frame.owner);
    if (file.is(parameter, 'splat_parameter') && form?.is !== 'generic') type = file.row('arrayType', type === NONE ? file.unknown() : type);
    const valueNode = file.child(parameter, 'value');
    const value = valueNode === NO_NODE ? NONE : walk.value(valueNode, frame);
    frame.locals.own(text, frame.home);
    const isBlock = file.is(parameter, 'block_parameter');
    const binding = file.builder.addBinding({
      scope: frame.home,
      name: file.word(nameNode),
      kind: isBlock ? 'variable' : 'parameter',
      type,
      value: isBlock ? file.row('name', frame.home, NONE, file.builder.intern('&')) : value,
      function: row,
      position: rows.length,
    });
    if (!isBlock) rows.push(binding);
  }
  if (row !== NONE) file.builder.setParameters(row, rows);
}

/** `|a, (b, c)|`: the parts of an argument, which is bound under a name that source cannot spell. */
function bindPattern(walk: Walk, pattern: SyntaxNode, position: number, frame: Frame): void {
  const { file } = walk;
  const name = file.builder.intern(`(${file.reader.start(pattern)})`);
  file.builder.addBinding({ scope: frame.home, name, kind: 'parameter', function: frame.body?.row ?? NONE, position });
  bindParts(walk, pattern, file.row('name', frame.home, NONE, name), frame, 0);
}

function bindParts(walk: Walk, pattern: SyntaxNode, value: ExpressionRow, frame: Frame, depth: number): void {
  const { file } = walk;
  if (depth > 20) return;
  file.children(pattern).forEach((part, at) => {
    const nameNode = file.is(part, 'identifier') ? part : file.child(part, 'name');
    const isRest = file.is(part, 'splat_parameter');
    const row = isRest ? value : file.row('index', value, NONE, file.builder.intern(String(at)));
    if (file.is(part, 'destructured_parameter')) bindParts(walk, part, row, frame, depth + 1);
    else if (nameNode !== NO_NODE) {
      frame.locals.own(file.text(nameNode), frame.home);
      file.builder.addBinding({ scope: frame.home, name: file.word(nameNode), kind: 'variable', value: row });
    }
  });
}
