import { SETTING_SECTIONS, type SettingRow } from './settings';

export interface ConfigurationSection {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** `contributes.configuration` of the manifest for a table of settings, one entry per section; texts are keys of `package.nls.json`. */
export function contributedConfiguration(settings: readonly SettingRow[]): readonly ConfigurationSection[] {
  return sectionsOf(settings).map(({ section, rows }, order) => ({
    title: `%${sectionKey(section)}%`,
    order,
    properties: Object.fromEntries(rows.map((row, position) => [row.key, contributed(row, position)])),
  }));
}

/** The texts `contributedConfiguration` names, for `package.nls.json`. */
export function configurationTexts(settings: readonly SettingRow[]): Readonly<Record<string, string>> {
  const titles = sectionsOf(settings).map(({ section }) => [sectionKey(section), section]);
  const texts = settings.flatMap(row => [
    [textKey(row.key), row.description],
    ...(row.enum ?? []).map((value, index) => [textKey(row.key, value), row.enumDescriptions?.[index] ?? '']),
  ]);
  return Object.fromEntries([...titles, ...texts]);
}

/** Settings as a Markdown document: a table per section, the meaning of each value below its setting. */
export function settingsMarkdown(settings: readonly SettingRow[]): string {
  const parts = sectionsOf(settings).map(({ section, rows }) => {
    const lines = rows.map(row => `| \`${row.key}\` | \`${JSON.stringify(row.default)}\` | ${documented(row).replaceAll('|', '\\|')} |`);
    return [`## ${section}`, '', '| Setting | Default | Description |', '|---|---|---|', ...lines].join('\n');
  });
  return parts.join('\n\n');
}

function sectionsOf(settings: readonly SettingRow[]): readonly { readonly section: string; readonly rows: readonly SettingRow[] }[] {
  return SETTING_SECTIONS.map(section => ({ section, rows: settings.filter(row => row.section === section) })).filter(({ rows }) => rows.length > 0);
}

function contributed(row: SettingRow, order: number): Readonly<Record<string, unknown>> {
  const { key, type, default: value, scope, enum: values, minimum, maximum } = row;
  return {
    type,
    ...(type === 'array' ? { items: { type: 'string' } } : {}),
    default: value,
    scope,
    order,
    ...(values === undefined ? {} : { enum: values, markdownEnumDescriptions: values.map(each => `%${textKey(key, each)}%`) }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    markdownDescription: `%${textKey(key)}%`,
  };
}

function documented({ description, enum: values = [], enumDescriptions = [] }: SettingRow): string {
  return [description, ...values.map((value, index) => `\`${value}\`: ${enumDescriptions[index] ?? ''}`)].join('<br>');
}

function textKey(key: string, value?: string): string {
  return value === undefined ? `setting.${key}` : `setting.${key}.${value}`;
}

function sectionKey(section: string): string {
  return `settings.${section.toLowerCase()}`;
}
