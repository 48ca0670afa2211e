import { shownValue } from '../../../../protocol/shownText';
import type { Answer } from '../../../features/catalogue/catalogue';
import { askFeature } from '../../asking';
import { EXIT, type ExitCode } from '../../exitCodes';
import { asPlain, inCodeCell } from '../../markdown';
import type { Command, CommandContext } from '../command';
import { AS_OF_FLAG, FORMAT_FLAG } from '../flags';
import { serviceMap } from '../serviceMap';
import { plural } from '../terminal';
import { pastLine, usageHint } from '../toolText';

type Services = Answer<'services'>;

const ACTIONS = ['list', 'show', 'flow', 'map', 'check'] as const;
type Action = (typeof ACTIONS)[number];
/** What some actions are about. */
const NAMED = { show: 'the name of a service', flow: 'an endpoint, such as "GET /orders/{id}"' } as const;
const SEVERITIES = ['info', 'warning', 'error'];
const MAX_ROWS = 50;

/** `lattice services`, with a check for CI. */
export const servicesCommand: Command = {
  name: 'services',
  summary: 'List the services of the workspace, show one, follow an endpoint, draw the map, or check for mismatches.',
  when: 'To see what each service offers and who calls it. In CI, run lattice services check.',
  returns: 'One line per service, endpoint, event, store and call. check exits with 5 if a problem is at least as severe as --fail-on.',
  examples: [
    'lattice services',
    'lattice services orders',
    'lattice services "GET /orders/{id}"',
    'lattice services map > services.mmd',
    'lattice services check --format markdown --fail-on warning',
    'lattice services --as-of v1.0',
  ],
  flags: [
    FORMAT_FLAG,
    {
      name: 'fail-on',
      kind: 'string',
      value: `${SEVERITIES.join('|')}|never`,
      choices: [...SEVERITIES, 'never'],
      help: 'check: exit with 5 if there is a problem of at least this severity.',
      fallback: 'error',
    },
    AS_OF_FLAG,
  ],
  positionals: [
    { name: ACTIONS.join('|'), required: false, many: false, help: 'Action to run. Default: list. A name or an endpoint alone is shown or followed.' },
    { name: 'NAME', required: false, many: false, help: 'Service to show or check, or endpoint to follow.' },
  ],
  run: async context => {
    const [action, name, ...rest] = spelledOut(context.options.args.positionals);
    if (action === undefined || rest.length > 0)
      return context.fail(EXIT.usage, 'USAGE', `Unknown action ${JSON.stringify(name)}. Use ${ACTIONS.join(', ')}.`, usageHint('services'));
    if (name === undefined && (action === 'show' || action === 'flow'))
      return context.fail(EXIT.usage, 'USAGE', `lattice services ${action} requires NAME: ${NAMED[action]}.`, usageHint('services'));
    return context.withIndex(async gateway => {
      const params = name === undefined ? {} : action === 'flow' ? { endpoint: name } : { service: name };
      const answer = await askFeature(gateway, 'services', params, context.options.caller, context.token, context.ofThePast);
      if (!answer.ok) return context.refused(answer.error, EXIT.answerIsError);
      return tellServices(context, action, answer.value);
    });
  },
};

/** Action and what it is about: `orders` alone is `show orders`, `GET /orders/{id}` and `/orders/{id}` alone are `flow …`. */
function spelledOut([word = 'list', ...names]: readonly string[]): readonly [action: Action | undefined, ...names: string[]] {
  const action = ACTIONS.find(each => each === word);
  if (action !== undefined) return [action, ...names];
  if (names.length > 0) return [undefined, word];
  return [/^(?:[A-Z]+ )?\//.test(word) ? 'flow' : 'show', word];
}

async function tellServices(context: CommandContext, action: Action, answer: Services): Promise<ExitCode> {
  const isMarkdown = context.text('format') === 'markdown';
  if (context.options.json || context.text('format') === 'json') await context.printJson(answer);
  else {
    await context.out(TEXTS[action](shownValue(answer), isMarkdown));
    // Programs read the map alone: to them it is a comment.
    const shown = (line: string): string => (isMarkdown ? `\n${line}` : action === 'map' ? `%% ${line}` : line);
    for (const line of pastLine(answer.stamp)) await context.line(shown(line));
  }
  if (action !== 'check') return EXIT.ok;
  const limit = context.text('fail-on') ?? 'error';
  const breaking = answer.problems.filter(({ severity }) => limit !== 'never' && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(limit));
  return breaking.length === 0 ? EXIT.ok : EXIT.limitReached;
}

const TEXTS: Readonly<Record<Action, (answer: Services, isMarkdown: boolean) => string>> = {
  list: listText,
  show: showText,
  flow: flowText,
  map: (answer, isMarkdown) => (isMarkdown ? `\`\`\`mermaid\n${serviceMap(answer)}\`\`\`\n` : serviceMap(answer)),
  check: (answer, isMarkdown) => (isMarkdown ? checkMarkdown(answer) : checkText(answer)),
};

function listText({ calls, endpoints, events, problems, services, skipped }: Services, isMarkdown: boolean): string {
  const rows = services.map(({ framework, language, name, role, root }) => ({
    name,
    what: [role === 'service' ? '' : role, language, framework].filter(part => part !== '').join(', '),
    root: root === '' ? '.' : root,
    endpoints: endpoints.filter(endpoint => endpoint.service === name).length,
    calls: calls.filter(call => call.source === name).map(call => call.target),
    callers: calls.filter(call => call.target === name).length,
  }));
  const total = `${plural(services.length, 'service')}, ${plural(endpoints.length, 'endpoint')}, ${plural(events.length, 'event')}, ${plural(calls.length, 'call')}, ${plural(problems.length, 'problem')}.`;
  const note = skipped === 0 ? '' : ` ${plural(skipped, 'use')} of frameworks could not be read, because paths or names are computed.`;
  if (isMarkdown) {
    const lines = rows.map(
      row =>
        `| ${inCodeCell(row.name)} | ${asPlain(row.what)} | ${inCodeCell(row.root)} | ${row.endpoints} | ${asPlain(row.calls.join(', '))} | ${row.callers} |`,
    );
    return [
      '### Services',
      '',
      `${total}${note}`,
      '',
      '| Service | Stack | Folder | Endpoints | Calls | Callers |',
      '| --- | --- | --- | --: | --- | --: |',
      ...lines,
      '',
    ].join('\n');
  }
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  const lines = rows.map(({ calls: targets, callers, endpoints: count, name, root, what }) => {
    const parts = [
      root,
      what,
      plural(count, 'endpoint'),
      callers === 0 ? '' : plural(callers, 'caller'),
      targets.length === 0 ? '' : `→ ${targets.join(', ')}`,
    ];
    return `${name.padEnd(width)}  ${parts.filter(part => part !== '').join(' · ')}`;
  });
  if (services.length === 0) return `No services found. If the workspace has services, name them in lattice.services.yaml.${note}\n`;
  return [...lines, `${total}${note}`, ''].join('\n');
}

function placeText(file: string, line: number): string {
  return file === '' ? '' : `  ${file}${line === 0 ? '' : `:${line}`}`;
}

function showText({ calls, endpoints, entities, events, problems, services, stores }: Services): string {
  const [service] = services;
  const name = service?.name ?? '';
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `${title} (${lines.length})`, ...lines.map(line => `  ${line}`)];
  const sides = (list: Services['events'][number]['publishers']): string =>
    [...new Set(list.map(side => side.service).filter(each => each !== ''))].join(', ') || 'no service';
  const lines = [
    `${name}  ${[service?.root === '' ? '.' : (service?.root ?? ''), service?.language ?? '', service?.framework ?? ''].filter(part => part !== '').join(' · ')}`,
    ...section(
      'Endpoints',
      endpoints.map(({ callers, contractFile, contractLine, file, line, method, path }) => {
        const by = [...new Set(callers.map(caller => caller.service))];
        const contract = contractFile === '' ? '' : `  contract ${contractFile}:${contractLine}`;
        return `${method} ${path}${placeText(file, line)}${contract}${by.length === 0 ? '' : `  called by ${by.join(', ')}`}`;
      }),
    ),
    ...section(
      'Events',
      events.map(event => `${event.name}  ${sides(event.publishers)} → ${sides(event.consumers)}`),
    ),
    ...section(
      'Stores',
      stores.map(({ name: store, product }) => (store === product ? store : `${store} (${product})`)),
    ),
    ...section(
      'Entities',
      entities.map(({ name: entity, owner }) => (owner === name ? entity : `${entity} (${owner === '' ? 'no owner' : `of ${owner}`})`)),
    ),
    ...section(
      'Calls',
      calls
        .filter(({ source }) => source === name)
        .map(
          ({ endpoints: via, file, kinds, line, target }) =>
            `${target} by ${kinds.join(', ')}${via.length === 0 ? '' : `: ${via.join(', ')}`}${placeText(file, line)}`,
        ),
    ),
    ...section(
      'Called by',
      calls
        .filter(({ target }) => target === name)
        .map(
          ({ endpoints: via, file, kinds, line, source }) =>
            `${source} by ${kinds.join(', ')}${via.length === 0 ? '' : `: ${via.join(', ')}`}${placeText(file, line)}`,
        ),
    ),
    ...section('Problems', problems.map(problemLine)),
  ];
  return `${lines.join('\n')}\n`;
}

const KINDS: Readonly<Record<Services['flow'][number]['kind'], string>> = {
  endpoint: '',
  handler: 'handler ',
  function: '',
  publish: 'publishes ',
  store: 'uses ',
};

function flowText({ flow }: Services, isMarkdown: boolean): string {
  const lines = flow.map(({ depth, file, kind, line, name, possible, service }) => {
    const verb = kind === 'endpoint' && depth > 0 ? 'calls ' : KINDS[kind];
    const what = `${possible === true ? 'possibly ' : ''}${verb}${isMarkdown ? inCodeCell(name) : name}`;
    const where = kind === 'endpoint' ? ` (${service})` : '';
    return `${'  '.repeat(depth)}${isMarkdown ? '- ' : ''}${what}${where}${isMarkdown && file !== '' ? ` ${inCodeCell(`${file}:${line}`)}` : placeText(file, line)}`;
  });
  return `${lines.join('\n')}\n`;
}

function problemLine({ code, file, line, message, severity }: Services['problems'][number]): string {
  return `${file === '' ? '' : `${file}:${line}: `}${severity} ${code}: ${message}`;
}

function verdict({ problems, services }: Services): string {
  const counts = SEVERITIES.toReversed().flatMap(severity => {
    const count = problems.filter(problem => problem.severity === severity).length;
    return count === 0 ? [] : [severity === 'info' ? plural(count, 'hint') : plural(count, severity)];
  });
  return `${counts.length === 0 ? 'No problems' : counts.join(', ')} in ${plural(services.length, 'service')}.`;
}

function checkText(answer: Services): string {
  return [...answer.problems.map(problemLine), verdict(answer), ''].join('\n');
}

function checkMarkdown(answer: Services): string {
  const rows = answer.problems
    .slice(0, MAX_ROWS)
    .map(
      ({ code, file, line, message, severity }) =>
        `| ${severity} | ${inCodeCell(code)} | ${file === '' ? '' : inCodeCell(`${file}:${line}`)} | ${asPlain(message)} |`,
    );
  const more = answer.problems.length > MAX_ROWS ? [`… and ${answer.problems.length - MAX_ROWS} more`, ''] : [];
  const table = rows.length === 0 ? [] : ['| Severity | Problem | Location | Message |', '| --- | --- | --- | --- |', ...rows, '', ...more];
  return ['### Services', '', verdict(answer), '', ...table].join('\n');
}
