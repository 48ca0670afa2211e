/** Numbers that stand for one kind of thing are kept apart from those of others by the compiler alone: this file compiles only as long as they are. */
import { expect, test } from 'vitest';
import { type FileNumber, type NameNumber, nameNumber, type PackageNumber, packageNumber } from '../../server/src/code/resolve/numbers';
import type { SiteWriter } from '../../server/src/code/resolve/sites/siteWriter';
import { type Value, type ValueSet, Values } from '../../server/src/code/resolve/values';
import { type AnyRow, type BindingRow, NONE, type SymbolRow } from '../../server/src/model/facts';
import { type NodeHandle, nodeHandle } from '../../server/src/model/ids';
import type { PreciseSymbol } from '../../server/src/model/preciseIndex';

type Takes<Wanted, Given> = Given extends Wanted ? true : false;

test('rows of one table are no rows of another, nor is any number; what stands for none is a row of each', () => {
  const symbolForBinding: Takes<BindingRow, SymbolRow> = false;
  const numberForBinding: Takes<BindingRow, number> = false;
  const operandForBinding: Takes<BindingRow, AnyRow> = true;
  const none: SymbolRow & BindingRow = NONE;
  expect([symbolForBinding, numberForBinding, operandForBinding, none]).toEqual([false, false, true, -1]);
});

test('a symbol of a precise index is no row of a file, and a site starts at a node', () => {
  const rowForSymbol: Takes<PreciseSymbol, SymbolRow> = false;
  const numberForSymbol: Takes<PreciseSymbol, number> = false;
  const numberForOwner: Takes<Parameters<SiteWriter['add']>[1], number> = false;
  expect([rowForSymbol, numberForSymbol, numberForOwner]).toEqual([false, false, false]);
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
