import { basename, dirname, type WorkspacePath } from '../../base/path';
import type { ServiceFile, UnitFact } from '../serviceFile';
import type { HostedUnit } from '../surface';
import { plainName } from './folders';

/** Files, with what a program starts as units of its file: as if that were a deployment. */
export function withHostedUnits(files: readonly ServiceFile[], hosted: readonly HostedUnit[]): readonly ServiceFile[] {
  if (hosted.length === 0) return files;
  const projects = new Map<string, WorkspacePath>();
  for (const { manifest, path } of files) if (manifest?.kind === 'dotnet') projects.set(plainName(basename(path).replace(/\.\w+$/, '')), dirname(path));
  const products = new Set(hosted.filter(({ image }) => image !== '').map(({ name }) => name));
  const units = new Map<WorkspacePath, UnitFact[]>();
  for (const { folder, image, name, place, project, references } of hosted) {
    const env = Object.fromEntries(
      references.map(other => (products.has(other) ? [`ConnectionStrings__${other}`, other] : [`services__${other}__http__0`, `http://${other}`])),
    );
    const context = folder ?? (project === undefined ? undefined : projects.get(plainName(project)));
    const unit = {
      source: 'aspire' as const,
      name,
      line: place.line,
      image,
      context,
      dockerfile: undefined,
      buildWords: [],
      env,
      envFrom: [],
      aliases: [],
      ports: [],
    };
    units.set(place.file, [...(units.get(place.file) ?? []), unit]);
  }
  return [...files, ...[...units].map(([path, own]): ServiceFile => ({ path, units: own, problems: [] }))];
}
