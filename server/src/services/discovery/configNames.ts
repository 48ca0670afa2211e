/** Name of a package as a service is called: without the organization in front. */
export function ownName(name: string): string {
  return name.replace(/^@[^/]+\//, '').replace(/^.*\//, '');
}

/** Words of names under which a service is given addresses that it tells others, or accepts requests from, and of its documentation. */
const TOLD_WORDS: ReadonlySet<string> = new Set(['cors', 'origin', 'origins', 'redirect', 'callback', 'allowed', 'swagger', 'openapi', 'springdoc']);

/** Whether a service is given an address to call it: not that of a client of its own (`WebAppClient`), or of an origin that it lets in. */
export function isToCall(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return !/^clients?$/.test(words.at(-1) ?? '') && !words.some(word => TOLD_WORDS.has(word));
}

const CONFIG_NAME = '(?:[\\w-]+-)?(?:configs?|configurations?|config-(?:repo|repository|files|data))|shared';

/** Folders in which a configuration server keeps files that are called after services. */
export const CONFIG_FOLDER = new RegExp(`(?:^|/)(?:${CONFIG_NAME})/`);

/** A file that lies in such a folder, or one below it: `config/orders.yml`, `config/repo/orders.yml`. */
export const CONFIG_FILE = new RegExp(`(?:^|/)(?:${CONFIG_NAME})/(?:[\\w-]+/)?[^/]+\\.ya?ml$`);
