/**
 * Values that Compose takes from files beside it: those of `.env` for the variables in the Compose file, as an example of that file has them, and `env_file`
 * for what an entry is given. Each file is read alone, so they are put together here.
 */
import { basename, dirname, join, type WorkspacePath } from '../../base/path';
import { imageName } from '../files/compose';
import { ENVIRONMENT_EXAMPLE, type ServiceFile, type UnitFact } from '../serviceFile';

type Values = Readonly<Record<string, string>>;

/** Variables whose values have variables again. */
const MAX_DEPTH = 4;

/** The files, with the variables of their deployments filled in as far as they are known. What is not known stays as it was. */
export function withEnvironmentFiles(files: readonly ServiceFile[]): readonly ServiceFile[] {
  const configs = new Map(files.flatMap(({ config, path }) => (config === undefined ? [] : [[path, config] as const])));
  const besides = new Map<WorkspacePath, Values>();
  for (const [path, config] of configs) if (ENVIRONMENT_EXAMPLE.test(basename(path).toLowerCase())) besides.set(dirname(path), config);
  return files.map(file => {
    if (!(file.units ?? []).some(unit => unit.source === 'compose')) return file;
    const beside = besides.get(dirname(file.path)) ?? {};
    return { ...file, units: file.units?.map(unit => filledUnit(unit, beside, configs)) ?? [] };
  });
}

function filledUnit(unit: UnitFact, beside: Values, configs: ReadonlyMap<WorkspacePath, Values>): UnitFact {
  const given = Object.assign({}, ...(unit.envFiles ?? []).map(path => configs.get(path) ?? {})) as Values;
  const own = Object.entries(unit.env).map(([key, value]) => [key, value === '' ? (given[key] ?? beside[key] ?? '') : value] as const);
  const values = { ...beside, ...given };
  const dockerfile = unit.dockerfile === undefined ? undefined : join('', filled(unit.dockerfile, values, MAX_DEPTH));
  return {
    ...unit,
    dockerfile,
    image: unit.image.includes('$') ? imageName(filled(unit.image, values, MAX_DEPTH)) : unit.image,
    env: { ...given, ...Object.fromEntries(own.map(([key, value]) => [key, filled(value, values, MAX_DEPTH)])) },
  };
}

function filled(text: string, values: Values, depth: number): string {
  if (depth === 0 || !text.includes('$')) return text;
  const next = text.replace(/\$\{(?<braced>\w+)\}|\$(?<bare>\w+)/g, (whole, braced: string | undefined, bare: string | undefined) => {
    const value = values[braced ?? bare ?? ''];
    return value ?? whole;
  });
  return next === text ? text : filled(next, values, depth - 1);
}
