import type { DomainModelFact, ServiceMapFact } from '../serviceFile';
import { type Data, isRecord, KeyLines, listIn, recordIn, textIn, textOf, textsOf } from './data';
import { fieldsOf } from './schemaFacts';

/** `lattice.services.*` and `.lattice/services.*`. */
export function isServiceMap(path: string): boolean {
  return /^(?:lattice\.services|\.lattice\/services)\.(?:ya?ml|json)$/.test(path);
}

/** `lattice.domain.*` and `.lattice/domain.*`. */
export function isDomainModel(path: string): boolean {
  return /^(?:lattice\.domain|\.lattice\/domain)\.(?:ya?ml|json)$/.test(path);
}

export function readServiceMap(root: Data, text: string): ServiceMapFact {
  const lines = new KeyLines(text);
  return {
    projectName: textIn(root, 'project_name'),
    services: listIn(root, 'services').flatMap(given => {
      const line = lines.next('name');
      const name = textIn(given, 'name').trim();
      if (!isRecord(given) || name === '') return [];
      const loc = given['estimated_loc'];
      return [
        {
          name,
          domain: textIn(given, 'domain'),
          description: textIn(given, 'description'),
          stack: Object.fromEntries(Object.entries(recordIn(given, 'stack')).map(([key, value]) => [key, textOf(value)])),
          estimatedLoc: typeof loc === 'number' ? loc : undefined,
          paths: textsOf(given['paths']),
          contracts: textsOf(given['contracts']),
          line,
        },
      ];
    }),
  };
}

export function readDomainModel(root: Data, text: string): DomainModelFact {
  const lines = new KeyLines(text);
  return {
    entities: listIn(root, 'entities').flatMap(given => {
      const line = lines.next('name');
      const name = textIn(given, 'name');
      if (name === '') return [];
      return [{ name, description: textIn(given, 'description'), owner: textIn(given, 'owning_service'), fields: entityFields(given), line }];
    }),
    relationships: listIn(root, 'relationships').flatMap(given => {
      const [source, target] = [textIn(given, 'source'), textIn(given, 'target')];
      if (source === '' || target === '') return [];
      return [{ source, target, type: textIn(given, 'relationship_type') || 'references', cardinality: textIn(given, 'cardinality') }];
    }),
  };
}

/** Fields as names, as objects with a name, or as a map from names to types. */
function entityFields(given: unknown): DomainModelFact['entities'][number]['fields'] {
  const fields = isRecord(given) ? given['fields'] : undefined;
  if (isRecord(fields))
    return fieldsOf(
      { properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, isRecord(type) ? type : { type }])) },
      () => undefined,
    );
  return (Array.isArray(fields) ? fields : []).flatMap(field => {
    if (typeof field === 'string') {
      const [name = '', type = 'any'] = field.split(/\s*:\s*/);
      return [{ name: name.replace(/\*$/, ''), type, required: name.endsWith('*'), ref: '' }];
    }
    const name = textIn(field, 'name');
    return name === '' ? [] : [{ name, type: textIn(field, 'type') || 'any', required: isRecord(field) && field['required'] === true, ref: '' }];
  });
}
