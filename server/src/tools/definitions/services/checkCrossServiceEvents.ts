import { z } from 'zod';
import { ok } from '../../../base/result';
import { checkEvents, type EventRow } from '../../../features/architecture/services/eventCheck';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, textIn } from '../outcome';
import { rendered, serviceBudget, serviceFormat } from './format';

export const checkCrossServiceEvents = defineTool({
  name: 'check_cross_service_events',
  title: 'Check events between services',
  description:
    'List events that are published but not consumed, consumed but not published, and those with both sides, with their services. Use to find broken event flows. For one service in full use get_service_context.',
  group: 'graph',
  effect: 'read',
  defaultProfile: 'balanced',
  aliases: { service: 'service_name' },
  input: z.object({
    service_name: z.string().default('').describe('Only events that this service publishes or consumes'),
    ...serviceFormat,
  }),
  fields: [
    { key: 'match_rate', priority: 'required', description: 'Share of events with both sides, 0 to 1' },
    { key: 'total_events', priority: 'required', description: 'Number of events' },
    { key: 'orphaned_events', priority: 'high', description: 'Published, not consumed: event_name, channel, publishers, consumers' },
    { key: 'unmatched_consumers', priority: 'high', description: 'Consumed, not published' },
    { key: 'matched_events', priority: 'medium', description: 'With both sides' },
  ],

  budgetTokens: serviceBudget,

  async handle(context, input, token) {
    const found = await checkEvents(context.workspace, { service: input.service_name }, token);
    if (!found.ok) return failure(found.error);
    const { matched, orphaned, rate, stamp, total, unmatched } = found.value;
    return ok({
      summary: `${count(total, 'event')}: ${matched.length} with both sides, ${orphaned.length} without a consumer, ${unmatched.length} without a publisher.`,
      data: {
        matched_events: matched.map(rowOf),
        orphaned_events: orphaned.map(rowOf),
        unmatched_consumers: unmatched.map(rowOf),
        total_events: total,
        match_rate: rate,
      },
      stamp,
      keepsEmpty: true,
    });
  },

  render(data, input) {
    const line = (row: Readonly<Record<string, unknown>>): string => `${textIn(row, 'event_name')}: ${names(row['publishers'])} → ${names(row['consumers'])}`;
    return rendered(data, input, () => [
      ...block('Not consumed', rowsIn(data, 'orphaned_events').map(line)),
      ...block('Not published', rowsIn(data, 'unmatched_consumers').map(line)),
      ...block('With both sides', rowsIn(data, 'matched_events').map(line)),
    ]);
  },
});

function rowOf({ channel, consumers, name, publishers }: EventRow): Readonly<Record<string, unknown>> {
  return { event_name: name, channel, publishers, consumers };
}

function names(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.join(', ') : 'no service';
}
