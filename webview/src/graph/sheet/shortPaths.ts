/** What tells paths apart: each without the folders that all of them are in. Names in parentheses are no paths. */
export function shortPaths(labels: readonly string[]): string[] {
  const same = sharedFolders(labels);
  return labels.map(label => (isPath(label) ? label.split('/').slice(same).join('/') : label));
}

/** How many folders all of the paths are in; 0 for a single one. */
export function sharedFolders(labels: readonly string[]): number {
  const paths = labels.filter(isPath).map(label => label.split('/'));
  const [first = []] = paths;
  let same = 0;
  while (paths.length > 1 && paths.every(path => path.length > same + 1 && path[same] === first[same])) same++;
  return same;
}

function isPath(label: string): boolean {
  return !label.startsWith('(');
}
