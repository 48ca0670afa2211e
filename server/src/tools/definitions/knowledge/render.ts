import { rowsIn, textIn } from '../outcome';

type Row = Readonly<Record<string, unknown>>;

/** Knowledge for reading: each entity on a line with its id, its text below. */
export function renderKnowledge(data: Row): string {
  const single = [data['atom'], data['molecule']].filter((entity): entity is Row => typeof entity === 'object' && entity !== null);
  return [
    ...single.flatMap(entity => entityLines(entity)),
    ...rowsIn(data, 'molecules').flatMap(molecule => [...entityLines(molecule), ...rowsIn(molecule, 'atoms').flatMap(atom => entityLines(atom).map(indented))]),
    ...rowsIn(data, 'orphanAtoms').flatMap(atom => entityLines(atom)),
    ...rowsIn(data, 'items').flatMap(item => entityLines(item)),
    ...rowsIn(data, 'knowledge').flatMap(block => [textIn(block, 'id'), ...textIn(block, 'text').split('\n').map(indented)]),
    ...rowsIn(data, 'history').map(versionLine),
    ...listLine('Not covered', data['unmatchedPaths']),
  ].join('\n');
}

function versionLine(row: Row): string {
  const fields = Array.isArray(row['changedFields']) ? row['changedFields'].map(String).join(', ') : '';
  const by = [row['agentId'], row['taskId']].filter(value => typeof value === 'string' && value !== '').join(', ');
  return `v${Number(row['version'])} ${textIn(row, 'at')} ${fields === '' ? '–' : fields} (${by})`;
}

function entityLines(entity: Row): string[] {
  const version = typeof entity['version'] === 'number' ? ` v${entity['version']}` : '';
  const knowledge = textIn(entity, 'knowledge');
  const below = [
    ...listLine('files', entity['matchedPaths']),
    ...listLine('paths', entity['paths']),
    ...anchorLines(entity['anchors']),
    ...(knowledge === '' ? [] : knowledge.split('\n')),
    ...rowsIn(entity, 'relatedAtoms').map(other => `see ${textIn(other, 'name')} (${textIn(other, 'atomId')}): ${textIn(other, 'reason')}`),
    ...rowsIn(entity, 'relatedMolecules').map(other => `see ${textIn(other, 'name')} (${textIn(other, 'moleculeId')}): ${textIn(other, 'reason')}`),
    ...('matchedPaths' in entity
      ? []
      : rowsIn(entity, 'atoms')
          .filter(atom => !('matchedPaths' in atom))
          .map(atom => `atom ${textIn(atom, 'name')} (${textIn(atom, 'id')})`)),
    ...rowsIn(entity, 'changelog').map(entry => `${textIn(entry, 'createdAt')} ${textIn(entry, 'summary')} (${textIn(entry, 'taskId')})`),
  ];
  return [`${textIn(entity, 'name').replace(/\s+/g, ' ')}${version} (${textIn(entity, 'id')})`, ...below.map(indented)];
}

function anchorLines(anchors: unknown): string[] {
  if (typeof anchors !== 'object' || anchors === null) return [];
  return (['changed', 'gone'] as const).flatMap(state => listLine(`${state} since written`, (anchors as Row)[state]));
}

function listLine(title: string, values: unknown): string[] {
  return Array.isArray(values) && values.length > 0 ? [`${title}: ${values.map(String).join(', ')}`] : [];
}

function indented(line: string): string {
  return `  ${line}`;
}
