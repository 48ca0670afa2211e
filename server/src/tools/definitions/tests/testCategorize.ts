import { z } from 'zod';
import { ok } from '../../../base/result';
import { categorizeTests } from '../../../features/testSelection/categorize';
import { CATEGORIES } from '../../../features/testSelection/inventory';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, textIn } from '../outcome';

/** Share of the budget for the list. */
const LIST_SHARE = 0.6;

export const testCategorize = defineTool({
  name: 'test_categorize',
  title: 'Categorize tests',
  description:
    'List the test files of the workspace with framework, category (unit, integration, e2e, performance) and reason. Use to see what kinds of tests exist and which do not test project code. To select tests for a change use test_select.',
  group: 'tests',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  input: z.object({
    paths: z.array(z.string()).optional().describe('Files or folders. Default: all'),
    category: z.enum(CATEGORIES).optional(),
    framework: z.string().optional().describe('Such as vitest, pytest, go'),
  }),
  fields: [
    { key: 'counts', priority: 'required', description: 'Test files by category' },
    { key: 'tests', priority: 'high', description: 'File, framework, category and reason; paged by cursor' },
    { key: 'withoutTargets', priority: 'medium', description: 'Test files that do not use project code' },
  ],

  async handle(context, input, token) {
    const { paths, category, framework } = input;
    const asked = {
      ...(paths === undefined ? {} : { paths }),
      ...(category === undefined ? {} : { category }),
      ...(framework === undefined ? {} : { framework }),
    };
    const found = await categorizeTests(context.workspace, asked, token);
    if (!found.ok) return failure(found.error);
    const { counts, stamp, tests, withoutTargets } = found.value;
    const offset = context.cursor?.offset ?? 0;
    const fitting = fillSlot(tests.slice(offset), estimateTokens, context.maxTokens * LIST_SHARE).selected;
    const rows = fitting.length === 0 ? tests.slice(offset, offset + 1) : fitting;
    const kinds = CATEGORIES.filter(name => counts[name] > 0).map(name => `${counts[name]} ${name}`);
    return ok({
      summary:
        tests.length === 0
          ? `No test files found${paths === undefined && category === undefined && framework === undefined ? '' : ' that match'}.`
          : `${count(tests.length, 'test file')}: ${kinds.join(', ')}.`,
      stamp,
      page: { key: 'tests', offset, total: tests.length, count: rows.length },
      data: { counts, tests: rows, ...(context.cursor === undefined ? { withoutTargets } : {}) },
    });
  },

  render(data) {
    const without = Array.isArray(data['withoutTargets']) ? (data['withoutTargets'] as readonly unknown[]).map(String) : [];
    return [
      ...rowsIn(data, 'tests').map(row => `${textIn(row, 'file')} ${textIn(row, 'framework')} ${textIn(row, 'category')} (${textIn(row, 'reason')})`),
      ...block('Do not test project code', without),
    ].join('\n');
  },
});
