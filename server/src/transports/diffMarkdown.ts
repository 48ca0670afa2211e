import { counted, figure } from '../../protocol/figures';
import { interfaceCounts } from '../../protocol/interfaceChanges';
import { riskReasons } from '../../protocol/riskReasons';
import type { Answer } from '../features/catalogue/catalogue';
import { breakVerdict } from '../model/breakVerdict';
import { asPlain, inCode, inCodeCell } from './markdown';

export type DiffReport = Answer<'graphDiff'>;

/** Rows of a list that is open, and of one that is folded. */
const OPEN_ROWS = 8;
const FOLDED_ROWS = 200;

/** The comparison as a comment on a pull request: what breaks first, at most 60 lines before the folded parts are opened. */
export function diffMarkdown(report: DiffReport): string {
  const { architecture, breaking, commands, counts, edges, from, interfaces, nodes, risk, tests, to, untested } = report;
  const symbols = nodes.filter(node => node.kind !== 'file' && node.withHolder === undefined);
  const parts = [
    `### Changes in the graph from ${nameOf(from)} to ${nameOf(to)}`,
    verdict(report),
    ...list('Breaking changes', breaking.map(breakingLine), true),
    ...list('Endpoints, events and entities', interfaces.map(interfaceLine), false),
    ...list('New cycles and violations', architecture.added.map(violationLine), true),
    ...list('Resolved cycles and violations', architecture.resolved.map(violationLine), false),
    ...list('Changed without tests', untested.map(inCode), true),
    ...list('Changed symbols', symbols.filter(node => !node.isTest).map(nodeLine), false),
    ...list('Changed in tests', symbols.filter(node => node.isTest).map(nodeLine), false),
    ...list(
      'New and removed dependencies',
      edges.units.map(({ change, from: source, level, to: target }) => `${change}: ${level} ${inCode(source)} → ${inCode(target)}`),
      false,
    ),
    ...list(
      'Tests that cover the change',
      tests.map(test => inCode(test.id)),
      false,
    ),
    ...(commands.length === 0 ? [] : [`Run: ${commands.slice(0, 3).map(inCode).join(', ')}`]),
    `<sub>Lattice${risk === undefined ? '' : `, risk ${risk}`}, ${counted(counts.files, 'file')}</sub>`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function nameOf({ commit, name }: DiffReport['from']): string {
  return name === 'working' ? 'the current code' : `${inCode(name)}${commit === '' || name.startsWith(commit.slice(0, 7)) ? '' : ` (${commit.slice(0, 7)})`}`;
}

function verdict(report: DiffReport): string {
  const { architecture, breaking, counts, interfaces, notes, risk, riskParts, untested } = report;
  if (counts.files === 0) return 'Nothing changed.';
  const changes = (['added', 'removed', 'renamed', 'moved'] as const).flatMap(key => (counts[key] > 0 ? [`${figure(counts[key])} ${key}`] : []));
  const changed = counts.signature + counts.body > 0 ? [`${figure(counts.signature + counts.body)} changed (${figure(counts.signature)} in signature)`] : [];
  const head = [
    ...(risk === undefined ? [] : [`**Risk: ${risk}**${riskParts === undefined ? '' : ` (${riskReasons(riskParts, text => `*${text}*`)})`}`]),
    breaking.length === 0 ? breakVerdict(report, counted) : `**${breakVerdict(report, counted)}**`,
    ...(architecture.added.length === 0 ? [] : [`${figure(architecture.added.length)} new in architecture`]),
    ...(untested.length === 0 ? [] : [`${figure(untested.length)} changed without tests`]),
  ].join(' · ');
  const symbols = [...changes, ...changed].join(', ');
  const offered = interfaceCounts(interfaces, counted);
  return [
    `${head}.`,
    `Symbols: ${symbols === '' ? 'none changed' : symbols}.`,
    ...(offered === '' ? [] : [`Services: ${offered}.`]),
    ...notes.map(asPlain),
  ].join(' ');
}

/** One list: open ones show some rows and fold the rest. */
function list(title: string, rows: readonly string[], isOpen: boolean): string[] {
  if (rows.length === 0) return [];
  const open = isOpen ? rows.slice(0, OPEN_ROWS) : [];
  const folded = rows.slice(open.length, open.length + FOLDED_ROWS);
  const more = rows.length - open.length - folded.length;
  const items = (some: readonly string[]): string => some.map(row => `- ${row}`).join('\n');
  const rest = [items(folded), ...(more > 0 ? [`…and ${figure(more)} more.`] : [])].join('\n\n');
  const fold = (summary: string): string => `<details><summary>${summary}</summary>\n\n${rest}\n\n</details>`;
  if (!isOpen) return [fold(`${title} (${figure(rows.length)})`)];
  return [`**${title} (${figure(rows.length)})**`, items(open), ...(folded.length === 0 ? [] : [fold(`${figure(rows.length - open.length)} more`)])];
}

function breakingLine({ id, nowId, oldSignature, reason, signature, total, uses }: DiffReport['breaking'][number]): string {
  const how = { removed: 'removed', renamed: 'renamed', moved: 'moved', signature: 'signature changed', hidden: 'no longer exported' }[reason];
  const now = nowId === undefined ? '' : ` (now ${inCode(nowId)})`;
  const change = reason === 'signature' && signature !== undefined ? `: ${inCode(oldSignature ?? '')} → ${inCode(signature)}` : '';
  const all = [...new Set(uses.map(use => `${inCodeCell(`${use.path}:${use.line}`)}${use.possible === true ? ' (possible)' : ''}`))];
  const places = all.slice(0, 4);
  const rest = total > uses.length ? total - places.length : all.length - places.length;
  return `${inCode(id)} ${how}${now}${change}. Still used at ${places.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

function interfaceLine({ change, kind, line, name, path, role, service }: DiffReport['interfaces'][number]): string {
  const whose = service === '' ? '' : role === undefined ? ` of ${inCode(service)}` : ` that ${inCode(service)} ${role}`;
  return `${change} ${kind.replace('domain_', '')} ${inCode(name)}${whose}${path === '' ? '' : `, ${inCode(line > 0 ? `${path}:${line}` : path)}`}`;
}

function violationLine({ from, message, severity }: DiffReport['architecture']['added'][number]): string {
  return `${severity}: ${inCode(`${from.file}:${from.line}`)} ${asPlain(message)}`;
}

function nodeLine({ change, id, kind, oldId, oldSignature, signature }: DiffReport['nodes'][number]): string {
  const was = oldId === undefined ? '' : ` (was ${inCode(oldId)})`;
  const how = signature === undefined || oldSignature === undefined ? '' : `: ${inCode(oldSignature)} → ${inCode(signature)}`;
  return `${change === 'body' || change === 'signature' ? 'changed' : change} ${kind.replaceAll('_', ' ')} ${inCode(id)}${was}${how}`;
}
