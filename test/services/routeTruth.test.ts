import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RouteTruth, routeFigures } from '../accuracy/routeFigures.mjs';

const folder = join(import.meta.dirname, '..', 'accuracy', 'truth', 'routes');
const truths = readdirSync(folder).map(file => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as RouteTruth] as const);

test('at least six applications of six frameworks told their routes', () => {
  expect(truths.length).toBeGreaterThanOrEqual(6);
  expect(new Set(truths.map(([, { framework }]) => framework)).size).toBeGreaterThanOrEqual(6);
});

describe.each(truths)('%s', (_, truth) => {
  const told = truth.routes.map(([method, path, handler]) => ({ method, path, handler: handler.includes('::') ? handler : `any.x::${handler}` }));

  test('all of its routes, told as they are, are right', () => {
    const { routes, found, right, handlers, rightHandlers } = routeFigures(truth, told);
    expect([found, right, rightHandlers]).toEqual([routes, told.length, handlers]);
  });

  test('a route less and a route that does not exist are seen', () => {
    const figures = routeFigures(truth, [...told.slice(1), { method: 'PUT', path: '/none/such', handler: '' }]);
    expect(figures.wrong).toEqual(['PUT /none/such ']);
    expect(figures.told - figures.right).toBe(1);
  });
});
