import { basename, dirname } from '../../../../base/path';
import type { LanguageId } from '../../../../model/languages';

/** Files that are one component each, called after the file: the only facts that depend on a path. */
export function isComponentLanguage(language: LanguageId): boolean {
  return language === 'vue' || language === 'svelte';
}

/** Name of the component that a file holds, '' for files that are none: that of the file, or of its folder for `index.vue`. */
export function componentName(language: LanguageId, path: string): string {
  if (!isComponentLanguage(language)) return '';
  const name = basename(path).replace(/\.[^.]*$/, '');
  const folder = basename(dirname(path));
  return name === 'index' && folder !== '' ? folder : name;
}
