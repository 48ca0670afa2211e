/** Name of a package as a service is called: without the organization in front. */
export function ownName(name: string): string {
  return name.replace(/^@[^/]+\//, '').replace(/^.*\//, '');
}
