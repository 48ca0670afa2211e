/** Numbers that stand for one kind of thing are kept apart from those of others by the compiler alone: this file compiles only as long as they are. */
import { expect, test } from 'vitest';
import { type FileNumber, type NameNumber, nameNumber, type PackageNumber, packageNumber } from '../../server/src/code/resolve/numbers';
import { type Value, type ValueSet, Values } from '../../server/src/code/resolve/values';
import { type AnyRow, type BindingRow, NONE, type SymbolRow } from '../../server/src/model/facts';
import { type NodeHandle, nodeHandle } from '../../server/src/model/ids';

type Takes<Wanted, Given> = Given extends Wanted ? true : false;

test('rows of one table are no rows of another, nor is any number; what stands for none is a row of each', () => {
  const symbolForBinding: Takes<BindingRow, SymbolRow> = false;
  const numberForBinding: Takes<BindingRow, number> = false;
  const operandForBinding: Takes<BindingRow, AnyRow> = true;
  const none: SymbolRow & BindingRow = NONE;
  expect([symbolForBinding, numberForBinding, operandForBinding, none]).toEqual([false, false, true, -1]);
});

test('values, sets of them, names, files and nodes are told apart; a package is a name of its own kind', () => {
  const valueForSet: Takes<ValueSet, Value> = false;
  const nameForNode: Takes<NodeHandle, NameNumber> = false;
  const fileForName: Takes<NameNumber, FileNumber> = false;
  const nameForPackage: Takes<PackageNumber, NameNumber> = false;
  const packageIsName: Takes<NameNumber, PackageNumber> = true;
  const values = new Values();
  const value = values.instance(nodeHandle(7));
  expect(values.node(value)).toBe(7);
  expect(values.members(values.single(value))).toEqual([value]);
  expect(values.external(packageNumber(1))).toBe(values.external(nameNumber(1)));
  expect([valueForSet, nameForNode, fileForName, nameForPackage, packageIsName]).toEqual([false, false, false, false, true]);
});
