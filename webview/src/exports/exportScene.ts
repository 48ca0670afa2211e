import type { InterfaceChange, SceneDto, SceneNodeDto } from '../../../server/protocol/features';
import type { ExportFormat } from '../../../server/protocol/graphPanel';
import { interfaceNote } from '../../../server/protocol/interfaceChanges';
import { shownText } from '../../../server/protocol/shownText';
import { isPossible, POSSIBLE, POSSIBLE_BORDER_DASHES, POSSIBLE_EDGE_DASHES, possibleWords } from '../graph/certainty';
import type { Drawing, DrawnEdge, DrawnNode } from '../graph/drawing';
import { columnName, placesOf } from '../graph/present';
import { badgeWidth } from '../ui/icons';
import { readTheme, type Theme } from '../ui/theme';

/** A rendered scene that can be exported. */
interface RenderedScene {
  readonly drawing: Drawing;
  /** As a data URL. */
  png(title: string): Promise<string>;
}

/** A scene and its picture in a format. */
export async function contentOf(format: ExportFormat, scene: SceneDto, picture: RenderedScene): Promise<string> {
  if (format === 'png') return picture.png(scene.title);
  if (format === 'svg') return asSvg(picture.drawing, readTheme(), scene.title);
  return format === 'json' ? asJson(scene) : format === 'mermaid' ? asMermaid(scene) : asMarkdown(scene);
}

/** The scene as data, without positions. */
export function asJson(scene: SceneDto): string {
  const { title, summary, starts, nodes, edges, groups, interfaces, omitted, stamp } = scene;
  return `${JSON.stringify({ title, summary, starts, nodes, edges, groups, interfaces, omitted, stamp }, undefined, 2)}\n`;
}

/** A flow chart that Markdown pages of most hosts draw. */
export function asMermaid(scene: SceneDto): string {
  const names = new Map(scene.nodes.map((node, place) => [node.id, `n${place}`]));
  const line = (node: SceneNodeDto): string => `${names.get(node.id) ?? ''}${shapeOf(node, `"${escaped(node.label)}"`)}`;
  const lines = ['flowchart LR'];
  const grouped = new Set<string>();
  for (const [place, group] of scene.groups.entries()) {
    const members = scene.nodes.filter(node => node.parent === group.id);
    if (members.length === 0) continue;
    lines.push(`  subgraph g${place}["${escaped(group.label)}"]`, ...members.map(node => `    ${line(node)}`), '  end');
    for (const member of members) grouped.add(member.id);
  }
  lines.push(...scene.nodes.filter(node => !grouped.has(node.id)).map(node => `  ${line(node)}`));
  for (const edge of scene.edges) {
    const relation = edge.links.map(link => link.relation.toLowerCase().replaceAll('_', ' ')).join(', ');
    const arrow = isPossible(edge.confidence) ? '-.->' : '-->';
    lines.push(`  ${names.get(edge.source) ?? ''} ${arrow}${relation === '' ? '' : `|${relation}|`} ${names.get(edge.target) ?? ''}`);
  }
  const classed = (name: string, nodes: readonly SceneNodeDto[]): string[] =>
    nodes.length === 0 ? [] : [`  class ${nodes.map(node => names.get(node.id) ?? '').join(',')} ${name}`];
  lines.push('  classDef start stroke-width:3px', `  classDef ${POSSIBLE} stroke-dasharray:${POSSIBLE_BORDER_DASHES.join(' ')}`);
  lines.push(
    ...classed(
      'start',
      scene.nodes.filter(node => node.role === 'start'),
    ),
  );
  lines.push(
    ...classed(
      POSSIBLE,
      scene.nodes.filter(node => node.role === 'step' && isPossible(node.confidence)),
    ),
  );
  return `${lines.join('\n')}\n`;
}

function shapeOf({ kind, role }: SceneNodeDto, text: string): string {
  if (role === 'bundle') return `(${text})`;
  if (kind === 'file' || role === 'box') return `[/${text}/]`;
  return kind === 'class' || kind === 'interface' ? `{{${text}}}` : `[${text}]`;
}

function escaped(text: string): string {
  return shownText(text).replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;').replaceAll('`', '#96;');
}

/** A list to paste into a review or an issue, in the order of the picture. */
export function asMarkdown(scene: SceneDto): string {
  const isImpact = scene.risk !== undefined;
  const lines = [`## ${plain(scene.title)}`, '', plain(scene.summary)];
  for (const { title, nodes } of sectionsOf(scene, isImpact)) {
    lines.push('', `### ${plain(title)} (${nodes.length})`, '', ...nodes.map(node => `- ${markdownRow(node)}`));
  }
  if (scene.interfaces !== undefined)
    lines.push('', `### Endpoints, events and entities (${scene.interfaces.length})`, '', ...scene.interfaces.map(interfaceRow));
  if (scene.omitted.nodes > 0) lines.push('', `${scene.omitted.nodes} more are not shown.`);
  return `${lines.join('\n')}\n`;
}

export interface Section {
  readonly title: string;
  readonly nodes: readonly SceneNodeDto[];
}

/** Nodes in the order in which a reader would go through the picture: by distance with the start first, or by group. */
export function sectionsOf(scene: SceneDto, isImpact: boolean): Section[] {
  if (scene.nodes.some(node => node.change !== undefined)) return sectionsOfComparison(scene);
  const sections = new Map<string, SceneNodeDto[]>();
  const ordered =
    scene.layout === 'sheet' ? placesOf(scene.nodes).toSorted((a, b) => Math.abs(a.column) - Math.abs(b.column) || a.column - b.column) : scene.nodes;
  for (const node of ordered) {
    const title =
      scene.layout === 'sheet'
        ? `${columnName(node.column, isImpact, scene)}${node.lane === 'main' || node.column === 0 ? '' : ` · ${node.lane}`}`
        : (scene.groups.find(group => group.id === node.parent)?.label ?? scene.title);
    sections.set(title, [...(sections.get(title) ?? []), node]);
  }
  return [...sections].map(([title, nodes]) => ({ title, nodes }));
}

/** What breaks, what came, what went, what changed, and who uses what breaks. */
function sectionsOfComparison({ nodes }: SceneDto): Section[] {
  const rest = (node: SceneNodeDto): boolean => node.breaking !== true;
  const sections: readonly Section[] = [
    { title: 'Breaking', nodes: nodes.filter(node => node.breaking === true) },
    { title: 'Added', nodes: nodes.filter(node => rest(node) && node.change === 'added') },
    { title: 'Removed', nodes: nodes.filter(node => rest(node) && node.change === 'removed') },
    { title: 'Changed', nodes: nodes.filter(node => rest(node) && node.change !== undefined && node.change !== 'added' && node.change !== 'removed') },
    { title: 'Unchanged code that breaks', nodes: nodes.filter(node => node.change === undefined) },
  ];
  return sections.filter(section => section.nodes.length > 0);
}

function markdownRow(node: SceneNodeDto): string {
  const place = node.path === '' ? '' : ` — ${plain(node.path)}${node.line > 0 ? `:${node.line}` : ''}`;
  const doubt = node.role === 'step' && isPossible(node.confidence) ? ` · ${possibleWords(node.confidence)}` : '';
  return `\`${shownText(node.label).replaceAll('`', "'")}\`${node.kind === 'bundle' ? '' : ` ${node.kind.replaceAll('_', ' ')}`}${node.isTest ? ', test' : ''}${doubt}${place}`;
}

function interfaceRow(change: InterfaceChange): string {
  const { line, name, path } = change;
  const place = path === '' ? '' : ` — ${plain(path)}${line > 0 ? `:${line}` : ''}`;
  return `- \`${shownText(name).replaceAll('`', "'")}\` ${plain(interfaceNote(change))}${place}`;
}

/** Names of the workspace are no Markdown. */
function plain(text: string): string {
  return shownText(text).replace(/[\\`*{}[\]<>|]/g, '\\$&');
}

/** A picture in lines and text, in the colors of the theme. */
export function asSvg(drawing: Drawing, theme: Theme, title: string): string {
  const places = new Map(drawing.nodes.map(node => [node.id, node]));
  const rects = [...drawing.frames.map(frame => frame.rect), ...drawing.nodes.map(node => ({ ...node.position, width: node.width, height: node.height }))];
  const margin = 24;
  const left = Math.min(0, ...rects.map(rect => rect.x - rect.width / 2)) - margin;
  const top = Math.min(0, ...rects.map(rect => rect.y - rect.height / 2)) - margin;
  const width = Math.max(0, ...rects.map(rect => rect.x + rect.width / 2)) + margin - left;
  const height = Math.max(0, ...rects.map(rect => rect.y + rect.height / 2)) + margin - top;
  const lines = drawing.edges.map(edge => {
    if (edge.path !== undefined)
      return svgPath(edge.path, edge, edge.classes.includes('cycle') || edge.classes.includes('violation') ? theme.fact : theme.muted);
    const [source, target] = [places.get(edge.source), places.get(edge.target)];
    return source === undefined || target === undefined ? '' : svgPath(between(source, target), edge, theme.muted);
  });
  const frames = drawing.frames.map(
    ({ rect, label }) =>
      `<rect x="${n(rect.x - rect.width / 2)}" y="${n(rect.y - rect.height / 2)}" width="${n(rect.width)}" height="${n(rect.height)}" rx="8" fill="none" stroke="${theme.border}"/>${svgText(label, rect.x, rect.y - rect.height / 2 + 17, theme.muted)}`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${n(left)} ${n(top)} ${n(width)} ${n(height)}" width="${n(width)}" height="${n(height)}" font-family="monospace" font-size="12">`,
    `<title>${xml(title)}</title>`,
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="${theme.muted}"/></marker></defs>`,
    `<rect x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" fill="${theme.background}"/>`,
    ...frames,
    ...lines,
    ...drawing.nodes.map(node => svgNode(node, theme)),
    '</svg>',
    '',
  ].join('\n');
}

function between(source: DrawnNode, target: DrawnNode): string {
  const toTheRight = target.position.x >= source.position.x;
  const x1 = source.position.x + ((toTheRight ? 1 : -1) * source.width) / 2;
  const x2 = target.position.x + ((toTheRight ? -1 : 1) * target.width) / 2;
  const bend = (x2 - x1) * 0.42;
  return `M${n(x1)} ${n(source.position.y)}C${n(x1 + bend)} ${n(source.position.y)} ${n(x2 - bend)} ${n(target.position.y)} ${n(x2)} ${n(target.position.y)}`;
}

function svgPath(path: string, { classes, width }: DrawnEdge, color: string): string {
  const dash = classes.includes(POSSIBLE) ? ` stroke-dasharray="${POSSIBLE_EDGE_DASHES.join(' ')}"` : '';
  return `<path d="${path}" fill="none" stroke="${color}" stroke-width="${n(width)}"${dash} marker-end="url(#arrow)"/>`;
}

function svgNode({ label, classes, position, width, height, area }: DrawnNode, theme: Theme): string {
  const isStart = classes.includes('start');
  const family = (['code', 'type', 'file', 'data'] as const).find(name => classes.includes(name)) ?? 'data';
  const own = area?.place === undefined ? undefined : theme.areas[area.place % theme.areas.length];
  const byKind = isStart ? theme.start : theme.kinds[family];
  const stroke = area === undefined ? byKind : (own?.line ?? theme.muted);
  const dash = classes.includes(POSSIBLE) ? ` stroke-dasharray="${POSSIBLE_BORDER_DASHES.join(' ')}"` : '';
  const rect = `<rect x="${n(position.x - width / 2)}" y="${n(position.y - height / 2)}" width="${n(width)}" height="${n(height)}" rx="5" fill="${isStart ? theme.start : (own?.ground ?? theme.raised)}" stroke="${stroke}" stroke-width="${classes.includes('test') ? 3 : 1.5}"${dash}/>`;
  const lines = label.split('\n');
  const texts = lines.map((line, place) =>
    svgText(line, position.x, position.y + 4 + (place - (lines.length - 1) / 2) * 15, isStart ? theme.onStart : theme.foreground),
  );
  return rect + texts.join('') + svgBadge(area?.letters ?? '', position.x + width / 2, position.y - height / 2, stroke, theme);
}

/** Letters of areas at the upper right corner of a node. */
function svgBadge(letters: string, x: number, y: number, stroke: string, theme: Theme): string {
  if (letters === '') return '';
  const width = badgeWidth(letters);
  const frame = `<rect x="${n(x - width / 2)}" y="${n(y - 8)}" width="${width}" height="16" rx="5" fill="${theme.background}" stroke="${stroke}" stroke-width="1.5"/>`;
  return frame + svgText(letters, x, y + 4, theme.foreground);
}

function svgText(text: string, x: number, y: number, color: string): string {
  return `<text x="${n(x)}" y="${n(y)}" text-anchor="middle" fill="${color}">${xml(text)}</text>`;
}

function xml(text: string): string {
  return shownText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
