import { codeReader } from '../../server/src/engine/indexing/services/codeReader';
import { ServicesLayer } from '../../server/src/layers/services/servicesLayer';
import { DEFAULT_SERVICES, type ServiceSettings } from '../../server/src/model/settings';
import { buildModel, type ModelSources } from '../../server/src/services/buildModel';
import type { ServiceModel } from '../../server/src/services/model';
import { readServiceFile } from '../../server/src/services/readServiceFile';
import { isServiceFile } from '../../server/src/services/serviceFile';
import type { ServicesPort } from '../../server/src/workspace/services';
import { graphOf, type WorkspaceSketch } from './graphOf';
import { readTexts } from './surfaceOf';

export interface ServicesSketch {
  readonly code?: WorkspaceSketch;
  /** Texts of files beside the code. */
  readonly files?: Readonly<Record<string, string>>;
  /** Interfaces as `build_knowledge_graph` takes them. */
  readonly interfaces?: unknown;
  readonly settings?: Partial<ServiceSettings>;
  /** What facts say of the code; nothing without it. */
  readonly digests?: ModelSources['digests'];
}

/** The model of a sketched workspace. */
export async function modelOf({
  code = {},
  digests = () => Promise.resolve([]),
  files = {},
  interfaces,
  settings = {},
}: ServicesSketch): Promise<ServiceModel> {
  const { view } = graphOf(code);
  const read = Object.entries(files).flatMap(([path, text]) => (isServiceFile(path) ? (readServiceFile(path, text, other => files[other]) ?? []) : []));
  const codeFiles = Object.entries(code).map(([path, { isTest = false, lines = 10 }]) => ({ path, isCode: true, isTest, lines, language: 'TypeScript' }));
  const others = Object.keys(files).map(path => ({ path, isCode: false, isTest: false, lines: 0, language: '' }));
  const { asyncapi2 } = { ...DEFAULT_SERVICES, ...settings };
  const sources = {
    workspaceName: 'shop',
    files: read,
    workspaceFiles: [...codeFiles, ...others],
    graph: view,
    digests,
    configurations: new Map<string, string>(),
  };
  return buildModel({ ...sources, code: codeReader(view), asyncapi2, interfaces }, () => undefined);
}

/** The model of texts, code and others, read as the product reads them. */
export async function modelOfTexts(files: Readonly<Record<string, string>>): Promise<ServiceModel> {
  const texts = new Map(Object.entries(files));
  const { digests, graph } = await readTexts(texts);
  const workspaceFiles = [...texts].map(([path, text]) => {
    const node = graph.fileOf(path);
    const language = node === undefined ? undefined : graph.node(node).language;
    const lines = text.split('\n').length;
    return {
      path,
      isCode: language !== undefined,
      isTest: node !== undefined && graph.isTest(node),
      lines,
      language: language === 'bash' ? 'Bash' : (language ?? ''),
    };
  });
  return buildModel(
    {
      workspaceName: 'shop',
      files: Object.keys(files).flatMap(path => (isServiceFile(path) ? (readServiceFile(path, files[path] ?? '', other => files[other]) ?? []) : [])),
      workspaceFiles,
      graph,
      digests: () => Promise.resolve([...digests]),
      configurations: texts,
      code: codeReader(graph),
      asyncapi2: DEFAULT_SERVICES.asyncapi2,
    },
    () => undefined,
  );
}

/** A layer and a port over a model, as an engine has them. */
export function servicesOver(model: ServiceModel, sketch: ServicesSketch): { readonly layer: ServicesLayer; readonly port: ServicesPort } {
  const settings = { ...DEFAULT_SERVICES, ...sketch.settings };
  const layer = new ServicesLayer();
  if (settings.enabled) layer.follow(model, [...Object.keys(sketch.code ?? {}), ...Object.keys(sketch.files ?? {})]);
  const current = settings.enabled ? model : undefined;
  return { layer, port: { settings, current, built: { at: 0, durationMs: 1 }, model: async () => current } };
}
