/** Names that Rails derives from others. */

const UNCOUNTABLE = new Set(['equipment', 'information', 'rice', 'money', 'species', 'series', 'fish', 'sheep', 'jeans', 'police', 'news', 'media', 'data']);
const IRREGULAR = new Map([
  ['people', 'person'],
  ['men', 'man'],
  ['children', 'child'],
  ['moves', 'move'],
  ['statuses', 'status'],
  ['aliases', 'alias'],
  ['indices', 'index'],
]);

/** `photos` → `photo`, `categories` → `category` */
export function singular(word: string): string {
  if (UNCOUNTABLE.has(word)) return word;
  const irregular = [...IRREGULAR].find(([plural]) => word === plural || word.endsWith(`_${plural}`));
  if (irregular !== undefined) return word.slice(0, word.length - irregular[0].length) + irregular[1];
  if (word.endsWith('ies') && word.length > 4) return word.replace(/ies$/, 'y');
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.replace(/es$/, '');
  return /[^s]s$/.test(word) && !/(?:us|is)$/.test(word) ? word.slice(0, -1) : word;
}

export function plural(word: string): string {
  if (UNCOUNTABLE.has(word)) return word;
  const irregular = [...IRREGULAR].find(([, one]) => word === one);
  if (irregular !== undefined) return irregular[0];
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, 'ies');
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** `admin/user_profiles` → `Admin`, `UserProfiles` */
export function classParts(path: string): string[] {
  return path
    .split('/')
    .filter(part => part !== '')
    .map(part =>
      part
        .split('_')
        .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
        .join(''),
    );
}
