import { basename, dirname } from '../../base/path';
import { type LanguageId, languageRow } from '../../model/languages';

/** What of a file's path its facts depend on, '' for nothing: part of the key that facts are kept under. */
export function nameInFacts(language: LanguageId, path: string): string {
  return languageRow(language).isComponent === true ? componentName(path) : '';
}

/** Name of the component that a file holds: that of the file, or of its folder for `index.vue`. */
export function componentName(path: string): string {
  const name = basename(path).replace(/\.[^.]*$/, '');
  const folder = basename(dirname(path));
  return name === 'index' && folder !== '' ? folder : name;
}
