import type { CancellationToken } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import { LineMap } from '../../../base/text';
import { absoluteOf, decodeText, type FileHost } from '../../../code/files/host';
import type { ServiceModel } from '../../../services/model';
import { isServiceFile } from '../../../services/serviceFile';
import type { ServicesPort, UnsavedModel } from '../../../workspace/services';
import type { Unsaved, UnsavedState } from '../unsaved';
import type { UnsavedUpdates } from '../unsavedUpdates';
import type { ServiceIndex, StandIns } from './serviceIndex';

export interface UnsavedServicesOptions {
  readonly root: string;
  readonly host: Pick<FileHost, 'read'>;
  readonly services: ServiceIndex;
  readonly unsaved: Unsaved;
  readonly updates: Pick<UnsavedUpdates, 'bringIn'>;
}

interface Made {
  readonly state: UnsavedState;
  readonly model: UnsavedModel;
}

/** The services as the unsaved documents of editor sessions make them, each for its own session. Made on request, kept until the documents or the files change. */
export class UnsavedServices {
  readonly #made = new Map<string, Made>();

  constructor(private readonly options: UnsavedServicesOptions) {}

  /** What a session knows of the services: its own text counts. */
  portFor(session: string): ServicesPort {
    const { services } = this.options;
    const unsaved = (token: CancellationToken): Promise<UnsavedModel | undefined> => this.#model(session, token);
    const current = (): ServiceModel | undefined => this.#current(session);
    return {
      get settings() {
        return services.settings;
      },
      get built() {
        return services.built;
      },
      get current() {
        return current();
      },
      async model(token, how) {
        const saved = await services.model(token, how);
        return (await unsaved(token))?.typed ?? saved;
      },
      unsaved,
    };
  }

  drop(session: string): void {
    this.#made.delete(session);
  }

  #current(session: string): ServiceModel | undefined {
    const { services, unsaved } = this.options;
    const { current } = services;
    const made = this.#made.get(session);
    return current === undefined || made === undefined || !unsaved.differs(session) ? current : made.model.typed;
  }

  async #model(session: string, token: CancellationToken): Promise<UnsavedModel | undefined> {
    const { services, unsaved, updates } = this.options;
    if (!services.settings.enabled || !unsaved.differs(session)) {
      this.#made.delete(session);
      return undefined;
    }
    await updates.bringIn(session);
    const state = unsaved.standIns(session);
    const known = this.#made.get(session);
    // Of text that cannot be parsed as it stands, what was shown last stays.
    if (state === undefined) return known?.model;
    if (known !== undefined && isSame(known.state, state)) return known.model;
    const code: StandIns['code'][number][] = [];
    for (const { facts, tracked } of state.standIns) {
      const { isTest, path } = tracked.record;
      if (!isTest && facts.digest !== (await services.digestOf(path))) code.push({ tracked, digest: facts.digest });
    }
    const texts = new Map([...state.texts].filter(([path]) => isServiceFile(path)));
    if (code.length === 0 && texts.size === 0) {
      this.#made.delete(session);
      return undefined;
    }
    const preview = await services.preview({ graph: state.published.graph, code, texts }, token);
    if (preview === undefined) return undefined;
    const maps = new Map<WorkspacePath, LineMap>();
    for (const [path, text] of state.texts) maps.set(path, await this.#lineMap(path, text));
    const model: UnsavedModel = {
      ...preview,
      edits: [...maps].map(([file, { firstChange }]) => ({ file, line: firstChange })),
      lineOf: (path, line) => maps.get(path)?.lineOf(line) ?? line,
    };
    this.#made.set(session, { state, model });
    return model;
  }

  async #lineMap(path: WorkspacePath, text: string): Promise<LineMap> {
    const { host, root } = this.options;
    const saved = await host.read(absoluteOf(root, path)).then(decodeText, () => text);
    return new LineMap(saved, text);
  }
}

/** Whether two states are of the same texts over the same index. */
function isSame(a: UnsavedState, b: UnsavedState): boolean {
  return a.base === b.base && a.texts.size === b.texts.size && [...a.texts].every(([path, text]) => b.texts.get(path) === text);
}
