import { basename, type WorkspacePath } from '../../base/path';
import type { ContractFact } from '../serviceFile';
import { type Data, KeyLines, recordIn, textIn } from './data';
import { headOf } from './openapi';
import type { References } from './references';
import { fieldsOf, schemaFacts } from './schemaFacts';

/** Whether a document is a JSON Schema and not merely checked by one. */
export function isJsonSchema(root: Data): boolean {
  return /(?:^|\/\/)json-schema\.org\//.test(textIn(root, '$schema')) && (root['type'] !== undefined || root['properties'] !== undefined);
}

export function readJsonSchema(path: WorkspacePath, root: Data, text: string, references: References): ContractFact {
  const title = textIn(root, 'title') || basename(path).replace(/(?:[.-]schema)?\.(?:json|ya?ml)$/i, '');
  const lines = new KeyLines(text);
  const inner = { ...recordIn(root, 'definitions'), ...recordIn(root, '$defs') };
  const { resolve } = references;
  return {
    ...headOf(path, root),
    type: 'json_schema',
    format: textIn(root, '$schema'),
    title,
    version: textIn(root, 'version'),
    basePaths: [],
    operations: [],
    channels: [],
    schemas: [{ name: title, line: 1, description: textIn(root, 'description'), fields: fieldsOf(root, resolve) }, ...schemaFacts(inner, lines, resolve)],
  };
}
