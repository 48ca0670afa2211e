import type { SceneLane, SceneRole } from '../../../protocol/graphView';
import { joinedNames, namesIn } from '../../../protocol/qualifiedNames';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { SHOWN_CONFIDENCE } from '../../model/evidence';
import { centralityOf, kindOf, sentenceOf } from '../shared/rows';
import type { SceneNodeDto } from './sceneShapes';

/** Longest text of one node; the details panel asks for the rest. */
const MAX_TEXT = 200;

/** What a scene says of a node beside what the graph knows of it. */
export interface NodePlacement {
  readonly role: SceneRole;
  readonly column: number;
  readonly lane: SceneLane;
  readonly confidence: number;
  readonly parent?: string | undefined;
}

export function nodeDto(graph: GraphView, handle: NodeHandle, { parent, ...standing }: NodePlacement): SceneNodeDto {
  const node = graph.node(handle);
  return {
    id: node.id,
    label: labelOf(node.id, node.name, node.nodeType === 'symbol'),
    kind: kindOf(node),
    path: node.path,
    line: node.nameLine > 0 ? node.nameLine : node.startLine,
    language: node.language ?? '',
    isTest: node.isTest,
    ...standing,
    ...(parent === undefined ? {} : { parent }),
    weight: Math.round(centralityOf(graph, handle) * 1e3) / 1e3,
    signature: bounded(node.signature),
    summary: bounded(sentenceOf(node)),
    size: 1,
    reach: [],
  };
}

function bounded(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1).trimEnd()}…` : text;
}

/** A node that stands for others: a closed group, or what the budget left out. */
export function placeholderNode(given: Pick<SceneNodeDto, 'id' | 'label' | 'kind' | 'role' | 'size'> & Partial<SceneNodeDto>): SceneNodeDto {
  return {
    path: '',
    line: 0,
    language: '',
    isTest: false,
    column: 0,
    lane: 'main',
    confidence: SHOWN_CONFIDENCE.certain,
    weight: 0,
    signature: '',
    summary: '',
    reach: [],
    ...given,
  };
}

/** `Cart.add` for a member, the base name for a file. */
export function labelOf(id: string, name: string, isSymbol: boolean): string {
  if (!isSymbol) return name;
  return joinedNames(namesIn(id).slice(-2));
}

/** Files of one name get as many folders before it as tell them apart, at most two; symbols of one name get the file or folder they are in. */
export function withDistinctLabels(nodes: readonly SceneNodeDto[]): readonly SceneNodeDto[] {
  let named = nodes;
  for (let folders = 1; folders <= MAX_FOLDERS; folders++) {
    const paths = pathsOf(named, isFile);
    if ([...paths.values()].every(own => own.size < 2)) break;
    named = named.map(node => {
      const isShared = isFile(node) && (paths.get(node.label)?.size ?? 0) > 1;
      return isShared ? { ...node, label: segments(node.path, folders + 1).join('/') } : node;
    });
  }
  const paths = pathsOf(nodes, isSymbol);
  return named.map(node => {
    const own = isSymbol(node) ? [...(paths.get(node.label) ?? [])] : [];
    if (own.length < 2) return node;
    const places = own.map(path => segments(path, 1)[0] ?? '');
    const isByFile = new Set(places).size === own.length;
    const [folder = '', file = ''] = segments(node.path, 2);
    return { ...node, label: `${node.label} · ${isByFile || file === '' ? file || folder : folder}` };
  });
}

function isFile({ kind, path, label }: SceneNodeDto): boolean {
  return kind === 'file' && path.endsWith(label);
}

function isSymbol({ kind, role, path }: SceneNodeDto): boolean {
  return kind !== 'file' && role !== 'box' && role !== 'bundle' && path !== '';
}

/** Paths by label. */
function pathsOf(nodes: readonly SceneNodeDto[], counts: (node: SceneNodeDto) => boolean): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = new Map<string, Set<string>>();
  for (const node of nodes) if (counts(node)) paths.set(node.label, (paths.get(node.label) ?? new Set()).add(node.path));
  return paths;
}

function segments(path: string, last: number): string[] {
  return path.split('/').slice(-last);
}

const MAX_FOLDERS = 2;
