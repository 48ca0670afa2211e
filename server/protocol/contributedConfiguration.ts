import type { SettingRow } from './settings';

/** `contributes.configuration` of the manifest for a table of settings; texts are keys of `package.nls.json`. */
export function contributedConfiguration(settings: readonly SettingRow[]): {
  readonly title: string;
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
} {
  const properties = settings.map((row, order) => {
    const { key, type, default: value, scope, description: _description, ...bounds } = row;
    const items = type === 'array' ? { items: { type: 'string' } } : {};
    return [key, { type, ...items, default: value, scope, order, ...bounds, markdownDescription: `%${textKey(key)}%` }] as const;
  });
  return { title: 'Lattice', properties: Object.fromEntries(properties) };
}

/** The texts `contributedConfiguration` names, for `package.nls.json`. */
export function configurationTexts(settings: readonly SettingRow[]): Readonly<Record<string, string>> {
  return Object.fromEntries(settings.map(row => [textKey(row.key), row.description]));
}

function textKey(key: string): string {
  return `setting.${key}`;
}
