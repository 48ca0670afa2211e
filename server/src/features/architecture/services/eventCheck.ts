import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import type { ServiceEvent } from '../../../services/model';
import type { Stamp, Workspace } from '../../../workspace/snapshot';
import type { FeatureFailure } from '../../shared/failure';
import { readServices } from './reading';

/** An event with the names of the services on both sides. */
export interface EventRow {
  readonly name: string;
  readonly channel: string;
  readonly publishers: readonly string[];
  readonly consumers: readonly string[];
}

export interface EventCheck {
  readonly matched: readonly EventRow[];
  readonly orphaned: readonly EventRow[];
  readonly unmatched: readonly EventRow[];
  readonly total: number;
  /** Share of events with both sides, 0 to 1; 1 without events. */
  readonly rate: number;
}

/** Events by whether somebody publishes and somebody consumes them. What only contracts without a provider say is no side. */
export async function checkEvents(
  workspace: Workspace,
  params: { readonly service: string },
  token: CancellationToken,
): Promise<Result<EventCheck & { readonly stamp: Stamp }, FeatureFailure>> {
  const read = await readServices(workspace, token);
  if (!read.ok) return read;
  const { model, stamp } = read.value;
  return ok({ ...checkOf(model?.events ?? [], params.service), stamp });
}

export function checkOf(events: readonly ServiceEvent[], service: string): EventCheck {
  const rows = events
    .map(rowOf)
    .filter(({ consumers, publishers }) => consumers.length + publishers.length > 0 && (service === '' || [...publishers, ...consumers].includes(service)));
  const matched = rows.filter(({ consumers, publishers }) => publishers.length > 0 && consumers.length > 0);
  return {
    matched,
    orphaned: rows.filter(({ consumers }) => consumers.length === 0),
    unmatched: rows.filter(({ publishers }) => publishers.length === 0),
    total: rows.length,
    rate: rows.length === 0 ? 1 : Math.round((matched.length / rows.length) * 1000) / 1000,
  };
}

function rowOf({ channel, consumers, name, publishers }: ServiceEvent): EventRow {
  const sides = (list: ServiceEvent['publishers']): string[] => [...new Set(list.map(({ service }) => service).filter(service => service !== ''))].sort();
  return { name, channel, publishers: sides(publishers), consumers: sides(consumers) };
}
