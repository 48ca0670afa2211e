import { z } from 'zod';
import { ok } from '../../../base/result';
import { CLUSTERINGS, communities, MIN_MEMBERS } from '../../../features/query/communities';
import { paramRef, phrase } from '../../../model/hints';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { count, failure, rowsIn, textIn } from '../outcome';

/** Share of the budget for the list. */
const LIST_SHARE = 0.8;

export const communityList = defineTool({
  name: 'community_list',
  title: 'List communities',
  description:
    'List the communities of the graph (groups of closely related code), largest first. Use to learn how an unfamiliar codebase is structured; not to find a symbol (search_code). Returns ID, label, one-sentence summary, member count and most central node of each.',
  group: 'search',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  input: z.object({
    limit: z.number().int().min(1).max(200).default(20).describe('Communities per page'),
    minMembers: z.number().int().min(1).default(MIN_MEMBERS).describe('Omit smaller communities'),
    clustering: z.enum(CLUSTERINGS).default('all').describe('calls-imports: only by calls and imports'),
  }),
  fields: [{ key: 'communities', priority: 'required', description: 'Largest first: id, label, summary, memberCount, centralNode, computedAt (revision)' }],

  async handle(context, input, token) {
    const offset = context.cursor?.offset ?? 0;
    const found = await communities(context.workspace, { limit: input.limit, offset, minMembers: input.minMembers, clustering: input.clustering }, token);
    if (!found.ok) return failure(found.error);
    const { communities: all, total, stamp } = found.value;
    const fitting = fillSlot(all, estimateTokens, context.maxTokens * LIST_SHARE).selected;
    const shown = fitting.length === 0 ? all.slice(0, 1) : fitting;
    const first = shown[0];
    const lead = first === undefined ? '' : ` ${offset > 0 ? 'Next' : 'Largest'}: ${first.label} with ${count(first.memberCount, 'member')}.`;
    return ok({
      summary: `${count(total, 'community', 'communities')}.${lead}`,
      data: { communities: shown },
      stamp,
      page: { key: 'communities', offset, total, count: shown.length },
      ...(total === 0 ? { hint: phrase`No community is that large. Use a smaller ${paramRef('minMembers')}.` } : {}),
    });
  },

  render: data =>
    rowsIn(data, 'communities')
      .map(row => `${textIn(row, 'id')} ${textIn(row, 'label')} (${textIn(row, 'memberCount')}): ${textIn(row, 'summary')}`)
      .join('\n'),
});
