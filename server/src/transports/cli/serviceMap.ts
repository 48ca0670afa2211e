import type { Answer } from '../../features/catalogue/catalogue';

type Services = Answer<'services'>;

/** Letters that mean something in a label of Mermaid become entities. */
function label(text: string): string {
  return text.replace(/["#&<>[\]{}()|`\\]/g, letter => `#${letter.codePointAt(0) ?? 63};`);
}

/** The services, what they call, the events between them and their stores, as a Mermaid flowchart. */
export function serviceMap({ calls, events, services, stores }: Services): string {
  const ids = new Map(services.map(({ name }, at) => [name, `s${at}`]));
  const lines = services.map(({ language, name }) => `  ${ids.get(name) ?? ''}["${label(name)}${language === '' ? '' : `<br>${label(language)}`}"]`);
  for (const [at, { name, usedBy }] of stores.entries()) {
    if (usedBy.length === 0) continue;
    lines.push(`  d${at}[("${label(name)}")]`);
    for (const user of usedBy) if (ids.has(user)) lines.push(`  ${ids.get(user) ?? ''} --- d${at}`);
  }
  for (const { endpoints, kinds, source, target } of calls) {
    const [from, to] = [ids.get(source), ids.get(target)];
    if (from === undefined || to === undefined) continue;
    const count = endpoints.length === 0 ? kinds.join(', ') : `${kinds.join(', ')}: ${endpoints.length}`;
    lines.push(`  ${from} -->|"${label(count)}"| ${to}`);
  }
  for (const { consumers, name, publishers } of events) {
    for (const from of new Set(publishers.map(side => ids.get(side.service)))) {
      for (const to of new Set(consumers.map(side => ids.get(side.service)))) {
        if (from !== undefined && to !== undefined) lines.push(`  ${from} -.->|"${label(name)}"| ${to}`);
      }
    }
  }
  return `${['flowchart LR', ...lines].join('\n')}\n`;
}
