/** Documents of GraphQL in texts: which root fields their operations ask for. Linear, and total on any text. */

export type GraphQlRoot = 'query' | 'mutation' | 'subscription';

export interface GraphQlOperation {
  readonly root: GraphQlRoot;
  /** Names of root fields, without their aliases. */
  readonly fields: readonly string[];
  /** Offset of its keyword. */
  readonly start: number;
}

const DOCUMENT = /^\s*(?:#[^\n]*\n\s*)*(?:query|mutation|subscription|fragment)\b[^{]*\{/;
const TOKEN = /"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|#[^\n]*|\.\.\.|[A-Za-z_]\w*|[{}()[\]:@$]/g;
/** Operations of one document that are told. */
const MAX_OPERATIONS = 200;

/** Whether a text is a document of operations, by its beginning. */
export function isGraphQlDocument(text: string): boolean {
  return DOCUMENT.test(text);
}

/** Operations of a document; none of a schema. */
export function graphQlOperations(text: string): readonly GraphQlOperation[] {
  const found: { readonly root: GraphQlRoot; readonly fields: string[]; readonly start: number }[] = [];
  let operation: (typeof found)[number] | undefined;
  let braces = 0;
  let brackets = 0;
  let previous = '';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (/^["#]/.test(token)) continue;
    if (token === '(' || token === '[') brackets++;
    else if (token === ')' || token === ']') brackets = Math.max(0, brackets - 1);
    else if (brackets > 0) continue;
    else if (token === '{') braces++;
    else if (token === '}') {
      braces = Math.max(0, braces - 1);
      if (braces === 0) operation = undefined;
    } else if (braces === 0 && operation === undefined && isRoot(token) && previous !== '$') {
      operation = { root: token, fields: [], start: index };
      if (found.length < MAX_OPERATIONS) found.push(operation);
    } else if (braces === 1 && operation !== undefined && /^[A-Za-z_]/.test(token) && !/^(?:\.\.\.|@|\$)$/.test(previous)) {
      // What stands before the colon was an alias.
      if (previous === ':') operation.fields.pop();
      operation.fields.push(token);
    } else if (braces === 0 && token === 'fragment') operation = undefined;
    previous = token;
  }
  return found.map(each => ({ ...each, fields: [...new Set(each.fields.filter(field => !field.startsWith('__')))] }));
}

function isRoot(token: string): token is GraphQlRoot {
  return token === 'query' || token === 'mutation' || token === 'subscription';
}

/** A document without all that is below its root fields. */
export function shortGraphQl(text: string): string {
  return graphQlOperations(text)
    .map(({ fields, root }) => `${root} { ${fields.join(' ')} }`)
    .join(' ');
}
