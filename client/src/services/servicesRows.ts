import type { ServicesAnswer } from '../../../server/protocol/features';
import { frameworkTitle } from './frameworkTitles';

/** A row of the view: plain data, so that it can be tested without an editor. */
export interface ServiceRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** Where the row leads, relative to the folder; `''` for nowhere. */
  readonly file: string;
  /** 1-based; 0 for the beginning of the file. */
  readonly line: number;
  readonly expanded?: boolean;
  /** Of an endpoint: its id. */
  readonly endpoint?: string;
  readonly children: readonly ServiceRow[];
}

const NOWHERE = { file: '', line: 0 };

/** Services, each with what it offers and uses; problems that belong to none of them at the end. */
export function serviceRows(answer: ServicesAnswer): ServiceRow[] {
  const rows = answer.services.map(service => serviceRow(answer, service));
  const lost = answer.problems.filter(problem => !answer.services.some(({ name }) => name === problem.service));
  return lost.length === 0 ? rows : [...rows, section('Other Problems', 'warning', lost.map(problemRow))];
}

/** One line for each service, and one for each problem: what a person asks first. */
export function serviceLines({ calls, endpoints, events, problems, services }: ServicesAnswer): readonly string[] {
  const lines = services.map(({ framework, language, name, role, stores }) => {
    const count = endpoints.filter(({ service }) => service === name).length;
    const isOf = (sides: ServicesAnswer['events'][number]['publishers']): boolean => sides.some(({ service }) => service === name);
    const parts = [
      role === 'service' ? '' : role,
      framework === '' ? language : frameworkTitle(framework),
      count === 0 ? '' : `${count} ${count === 1 ? 'endpoint' : 'endpoints'}`,
      listed('calls', [...new Set(calls.filter(({ source }) => source === name).map(({ target }) => target))]),
      listed(
        'publishes',
        events.filter(({ publishers }) => isOf(publishers)).map(event => event.name),
      ),
      listed(
        'consumes',
        events.filter(({ consumers }) => isOf(consumers)).map(event => event.name),
      ),
      listed('uses', stores),
    ];
    return `${name}: ${parts.filter(part => part !== '').join(' · ')}`;
  });
  return [...lines, ...problems.map(({ file, line, message }) => `${message}${file === '' ? '' : ` (${line === 0 ? file : `${file}:${line}`})`}`)];
}

/** Names beyond these are counted. */
const MAX_NAMES = 5;

function listed(verb: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const rest = names.length - MAX_NAMES;
  return `${verb} ${names.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function serviceRow(answer: ServicesAnswer, { file, framework, language, line, name, role, root, stores }: ServicesAnswer['services'][number]): ServiceRow {
  const mine = (sides: ServicesAnswer['events'][number]['publishers']): typeof sides => sides.filter(({ service }) => service === name);
  const endpoints = answer.endpoints.filter(({ service }) => service === name);
  const published = answer.events.filter(({ publishers }) => mine(publishers).length > 0);
  const consumed = answer.events.filter(({ consumers }) => mine(consumers).length > 0);
  const entities = answer.entities.filter(({ owner, referencedBy }) => owner === name || referencedBy.includes(name));
  const problems = answer.problems.filter(({ service }) => service === name);
  const sections = [
    section('Endpoints', 'plug', endpoints.map(endpointRow)),
    section(
      'Calls',
      'arrow-right',
      answer.calls.filter(({ source }) => source === name).map(call => callRow(answer, call, call.target)),
    ),
    section(
      'Called By',
      'arrow-left',
      answer.calls.filter(({ target }) => target === name).map(call => callRow(answer, call, call.source)),
    ),
    section(
      'Publishes',
      'radio-tower',
      published.map(event => eventRow(event.name, mine(event.publishers), 'consumed', event.consumers)),
    ),
    section(
      'Consumes',
      'inbox',
      consumed.map(event => eventRow(event.name, mine(event.consumers), 'published', event.publishers)),
    ),
    section(
      'Entities',
      'symbol-structure',
      entities.map(({ owner, ...entity }) => leaf(entity.name, owner === name ? '' : `of ${owner === '' ? 'no service' : owner}`, 'symbol-class', entity)),
    ),
    section(
      'Stores',
      'database',
      stores.map(store => storeRow(answer, store)),
    ),
    section('Problems', 'warning', problems.map(problemRow)),
  ].filter(({ children }) => children.length > 0);
  const description = [role === 'service' ? '' : role, framework === '' ? language : frameworkTitle(framework), root]
    .filter(part => part !== '' && part !== name)
    .join(' · ');
  return { label: name, description, icon: role === 'gateway' ? 'globe' : 'server-process', file, line, children: sections };
}

function section(label: string, icon: string, children: readonly ServiceRow[]): ServiceRow {
  return { label, description: String(children.length), icon, ...NOWHERE, children };
}

function leaf(label: string, description: string, icon: string, { file, line }: { readonly file: string; readonly line: number }): ServiceRow {
  return { label, description, icon, file, line, children: [] };
}

/** Below an endpoint: its contract and the code that calls it. */
function endpointRow({ callers, contractFile, contractLine, file, id, line, method, path }: ServicesAnswer['endpoints'][number]): ServiceRow {
  const by = [...new Set(callers.map(({ service }) => service))];
  const children = [
    ...(contractFile === '' ? [] : [leaf('Contract', placeOf(contractFile, contractLine), 'file-code', { file: contractFile, line: contractLine })]),
    ...callers.map(caller => leaf(caller.service, placeOf(caller.file, caller.line), 'call-incoming', caller)),
  ];
  return {
    label: `${method} ${path}`,
    description: by.length === 0 ? '' : `called by ${by.join(', ')}`,
    icon: 'symbol-method',
    file,
    line,
    endpoint: id,
    children,
  };
}

function callRow(answer: ServicesAnswer, { endpoints, file, kinds, line, target }: ServicesAnswer['calls'][number], name: string): ServiceRow {
  const children = endpoints.map(called => {
    const endpoint = answer.endpoints.find(({ method, path, service }) => service === target && `${method} ${path}` === called);
    return leaf(called, '', 'symbol-method', endpoint ?? NOWHERE);
  });
  return { label: name, description: kinds.join(', '), icon: 'server-process', file, line, children };
}

function eventRow(
  name: string,
  own: ServicesAnswer['events'][number]['publishers'],
  verb: string,
  others: ServicesAnswer['events'][number]['publishers'],
): ServiceRow {
  const [place = NOWHERE] = own;
  const names = [...new Set(others.map(({ service }) => service).filter(service => service !== ''))];
  const children = others.filter(({ service }) => service !== '').map(side => leaf(side.service, placeOf(side.file, side.line), 'server-process', side));
  return {
    label: name,
    description: `${verb} by ${names.length === 0 ? 'no service' : names.join(', ')}`,
    icon: 'symbol-event',
    file: place.file,
    line: place.line,
    children,
  };
}

const ICONS = { error: 'error', warning: 'warning', info: 'info' } as const;

function problemRow({ file, line, message, severity }: ServicesAnswer['problems'][number]): ServiceRow {
  return leaf(message, placeOf(file, line), ICONS[severity], { file, line });
}

function placeOf(file: string, line: number): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name === '' || line === 0 ? name : `${name}:${line}`;
}

function storeRow({ stores }: ServicesAnswer, name: string): ServiceRow {
  const { product, ...place } = stores.find(store => store.name === name) ?? { product: '', ...NOWHERE };
  return leaf(name, product === name ? '' : product, 'database', place);
}
