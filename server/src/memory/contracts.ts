import type { EpisodeType, Metadata } from './entities';
import type { Issue } from './failures';

type FieldType = 'text' | 'number' | 'texts';

interface Contract {
  readonly required: Readonly<Record<string, FieldType>>;
  readonly optional: Readonly<Record<string, FieldType>>;
}

/** What the metadata of each type must and may say; other keys are kept as they are. */
export const CONTRACTS: Readonly<Record<EpisodeType, Contract>> = {
  OBSERVATION: { required: {}, optional: { confidence: 'number', queryUsed: 'text' } },
  DECISION: { required: { title: 'text', rationale: 'text', tradeoffs: 'texts', affectedFiles: 'texts' }, optional: {} },
  EDIT: { required: { file: 'text', diffSummary: 'text', linesBefore: 'number', linesAfter: 'number', reason: 'text' }, optional: {} },
  TEST_RESULT: { required: { passed: 'number', failed: 'number', testFiles: 'texts' }, optional: { coverageDelta: 'number' } },
  ERROR: { required: { errorType: 'text', stackSummary: 'text' }, optional: { recoveryAction: 'text' } },
  REFLECTION: { required: {}, optional: {} },
};

const NEEDS: Readonly<Record<FieldType, string>> = { text: 'a string', number: 'a number', texts: 'a list of strings' };

/** Every field that is missing or of another type. */
export function contractIssues(type: EpisodeType, metadata: Metadata): readonly Issue[] {
  const { required, optional } = CONTRACTS[type];
  return [
    ...Object.entries(required).flatMap(([field, wanted]) => issueOf(field, wanted, metadata[field], true)),
    ...Object.entries(optional).flatMap(([field, wanted]) => issueOf(field, wanted, metadata[field], false)),
    ...(type === 'OBSERVATION' && typeof metadata['confidence'] === 'number' && !(metadata['confidence'] >= 0 && metadata['confidence'] <= 1)
      ? [{ field: 'metadata.confidence', message: 'must be between 0 and 1' }]
      : []),
  ];
}

function issueOf(name: string, wanted: FieldType, value: unknown, isRequired: boolean): readonly Issue[] {
  const field = `metadata.${name}`;
  if (value === undefined || value === null) return isRequired ? [{ field, message: `is missing (${NEEDS[wanted]})` }] : [];
  return fits(wanted, value) ? [] : [{ field, message: `must be ${NEEDS[wanted]}` }];
}

function fits(wanted: FieldType, value: unknown): boolean {
  if (wanted === 'text') return typeof value === 'string';
  if (wanted === 'number') return typeof value === 'number' && Number.isFinite(value);
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

/** Files that the metadata names: they belong to what the episode is about. */
export function filesIn(type: EpisodeType, metadata: Metadata): readonly string[] {
  const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(item => typeof item === 'string') : []);
  if (type === 'EDIT') return typeof metadata['file'] === 'string' ? [metadata['file']] : [];
  if (type === 'DECISION') return list(metadata['affectedFiles']);
  return type === 'TEST_RESULT' ? list(metadata['testFiles']) : [];
}
