export type SourceName = 'flask' | 'gin' | 'msal';

/** Makes `folder` a Git repository of one commit with these sources; throws when they cannot be had. */
export function copySources(name: SourceName, folder: string): void;
