import { expect, it } from 'vitest';
import { graphQlOperations, isGraphQlDocument, shortGraphQl } from '../../../server/src/base/graphQlText';

it('root fields of operations are told, whatever stands around and below them', () => {
  const text = `# a comment {
query One($id: ID! = "}", $f: Filter = { a: [1] }) @cached(ttl: 5) {
  mine: order(id: $id, where: { state: "{" }) { id lines { id } }
  me { name } __typename
  ...Rest @include(if: true)
}
fragment Rest on Query { hidden }
mutation { place(input: """{ "x": 1 }""") { id } }`;
  expect(isGraphQlDocument(text)).toBe(true);
  expect(graphQlOperations(text)).toEqual([
    { root: 'query', fields: ['order', 'me'], start: 14 },
    { root: 'mutation', fields: ['place'], start: text.indexOf('mutation') },
  ]);
  expect(shortGraphQl(text)).toBe('query { order me } mutation { place }');
});

it('texts that are no documents have no operations', () => {
  expect(isGraphQlDocument('type Query { me: User }')).toBe(false);
  expect(isGraphQlDocument('query string of the user')).toBe(false);
  expect(graphQlOperations('type Query { me: User }')).toEqual([]);
  expect(graphQlOperations(`${'query {'.repeat(50_000)}${'('.repeat(50_000)}`)).toHaveLength(1);
});
