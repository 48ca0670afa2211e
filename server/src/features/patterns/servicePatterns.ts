import type { Contract, EventSide, ServiceEvent, ServiceModel } from '../../services/model';
import type { Pattern, PatternContext, PatternMatch } from './pattern';
import { dependenciesWarning, prioritized } from './serviceFindings';

const DEAD_HANDLER = 'Remove the handler, or publish its event.';
const DEAD_CONTRACT = 'Remove the contract, or handle what it describes.';

/** Patterns over services, their contracts and events. Without the layer of services they are named as missing, never as absent. */
export const SERVICE_PATTERNS: readonly Pattern[] = [
  {
    id: 'dead-endpoint',
    title: 'Endpoints without a handler',
    severity: 'warning',
    fix: 'Implement the endpoint, or remove it from the contract.',
    words: /\bdead endpoints?\b/,
    needs: 'services',
    find: over(deadEndpoints),
  },
  {
    id: 'orphan-event',
    title: 'Events without a publisher or consumer',
    severity: 'warning',
    fix: 'Publish or consume the event, or remove the remaining side.',
    words: /\borphan(?:ed)? events?\b/,
    needs: 'services',
    find: over(orphanEvents),
  },
  {
    id: 'ADV-001',
    title: 'Event handlers without a publisher',
    severity: 'warning',
    fix: DEAD_HANDLER,
    words: /\bdead event handlers?\b/,
    needs: 'services',
    find: context => prioritized(context, over(deadHandlers)(context), DEAD_HANDLER),
    suppressed: over(suppressedHandlers),
    warning: dependenciesWarning,
  },
  {
    id: 'ADV-002',
    title: 'Unused contracts',
    severity: 'warning',
    fix: DEAD_CONTRACT,
    words: /\bdead contracts?\b/,
    needs: 'services',
    find: context => prioritized(context, over(deadContracts)(context), DEAD_CONTRACT),
    suppressed: over(suppressedContracts),
    warning: dependenciesWarning,
  },
];

function over(find: (model: ServiceModel) => PatternMatch[]): (context: PatternContext) => PatternMatch[] {
  return ({ services }) => (services === undefined ? [] : find(services));
}

function match(id: string, place: { readonly file: string; readonly line: number } | undefined, evidence: string): PatternMatch {
  const line = Math.max(1, place?.line ?? 1);
  return { id, file: place?.file ?? '', lines: `${line}-${line}`, evidence };
}

function deadEndpoints({ endpoints }: ServiceModel): PatternMatch[] {
  return endpoints
    .filter(({ handlerPlace, service }) => handlerPlace === undefined && service !== '')
    .map(({ id, method, path, place, service }) => match(id, place, `${method} ${path} of ${service} is in a contract, and no handler was found`));
}

function orphanEvents({ events }: ServiceModel): PatternMatch[] {
  return events.flatMap(({ consumers, id, name, publishers }) => {
    if (publishers.length > 0 && consumers.length > 0) return [];
    const [side] = [...publishers, ...consumers];
    return [match(id, side?.place, `${name} is ${publishers.length > 0 ? 'published and not consumed' : 'consumed and not published'}`)];
  });
}

/** Handlers of events whose own service does not publish them: certain only when no other service does either. */
function handlersAlone({ consumers, publishers }: ServiceEvent): readonly EventSide[] {
  return consumers.filter(({ service }) => service !== '' && !publishers.some(publisher => publisher.service === service));
}

function deadHandlers({ events }: ServiceModel): PatternMatch[] {
  return events
    .filter(({ publishers }) => publishers.length === 0)
    .flatMap(event =>
      handlersAlone(event).map(({ handler, place, service }) =>
        match(handler ?? event.id, place, `${service} handles ${event.name}, which no service publishes`),
      ),
    );
}

function suppressedHandlers({ events }: ServiceModel): PatternMatch[] {
  return events
    .filter(({ publishers }) => publishers.length > 0)
    .flatMap(event => {
      const [publisher] = event.publishers;
      const where = publisher?.place === undefined ? '' : ` (${publisher.place.file}:${publisher.place.line})`;
      const by = publisher?.service === undefined || publisher.service === '' ? (publisher?.contract ?? '') : publisher.service;
      return handlersAlone(event).map(({ handler, place, service }) =>
        match(handler ?? event.id, place, `${service} handles ${event.name}, which ${by} publishes${where}`),
      );
    });
}

/** Contracts that no code of their provider answers. Derived contracts are code. */
function unusedContracts({ contracts, endpoints, events }: ServiceModel): readonly Contract[] {
  return contracts.filter(({ derived, fact, id, service }) => {
    if (derived || service === '' || fact === undefined || fact.type === 'json_schema') return false;
    const isHandled = endpoints.some(endpoint => endpoint.contracts.includes(id) && endpoint.handlerPlace !== undefined);
    return !isHandled && !events.some(event => [...event.publishers, ...event.consumers].some(side => side.contract === id && side.handler !== undefined));
  });
}

function callsOf({ calls }: ServiceModel, { service }: Contract): ServiceModel['calls'] {
  return calls.filter(({ target }) => target === service);
}

function suppressedContracts(model: ServiceModel): PatternMatch[] {
  return unusedContracts(model).flatMap(contract => {
    const [call] = callsOf(model, contract);
    if (call === undefined) return [];
    const [place] = call.places;
    const where = place === undefined ? '' : ` (${place.file}:${place.line})`;
    return [match(`contract::${contract.id}`, { file: contract.file, line: 1 }, `${call.source} calls ${contract.service}${where}`)];
  });
}

function deadContracts(model: ServiceModel): PatternMatch[] {
  return unusedContracts(model)
    .filter(contract => callsOf(model, contract).length === 0)
    .map(({ file, id, service }) => match(`contract::${id}`, { file, line: 1 }, `nothing in ${service} answers it, and no other service calls ${service}`));
}
