import type { InterfaceChange } from '../../../server/protocol/features';
import { interfaceNote } from '../../../server/protocol/interfaceChanges';

/** How an endpoint, event or entity that came or went is shown: plain data, so that it can be tested without an editor. */
interface InterfaceRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color: string;
  /** The label says neither its kind nor, to who does not see colors, that it is gone. */
  readonly spoken: string;
  readonly tooltip: string;
  /** Where it is, or was: `older` is the state that is compared with. Absent where no place is known. */
  readonly place?: { readonly state: 'older' | 'current'; readonly path: string; readonly line: number };
}

export function interfaceRow(change: InterfaceChange): InterfaceRow {
  const { kind, line, name, path } = change;
  const description = interfaceNote(change);
  const isGone = change.change === 'removed';
  const noun = kind === 'domain_entity' ? 'entity' : kind;
  return {
    label: name,
    description,
    icon: kind === 'event' ? (change.role === 'consumes' ? 'inbox' : 'radio-tower') : kind === 'endpoint' ? 'plug' : 'symbol-structure',
    color: isGone ? 'gitDecoration.deletedResourceForeground' : 'gitDecoration.addedResourceForeground',
    spoken: `${noun} ${name}, ${description}`,
    tooltip: [`${noun} ${name}`, description, ...(path === '' ? [] : [`${isGone ? 'was in ' : ''}${path}${line > 0 ? `:${line}` : ''}`])].join('\n'),
    ...(path === '' ? {} : { place: { state: isGone ? 'older' : 'current', path, line } }),
  };
}
