/** What credentials look like wherever they stand: keys with a known prefix, signed tokens, private keys, values behind `Bearer`, passwords in URLs. */
const CREDENTIALS: readonly RegExp[] = [
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|npm_|AKIA|ASIA|AIza)[\w-]{12,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=\b(?:[Bb]earer|[Bb]asic) )[\w+/.=-]{8,}/g,
  /(?<=:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/g,
];

/** A value behind a name such as `token` or `password`. */
const ASSIGNED = /(?<=\b[\w-]*(?:token|secret|passwd|password|api[_-]?key)["']?\s*[=:]\s*["']?)[^\s"',;]{4,}/gi;

/** Stands in place of a secret. */
export const SECRET_MASK = '***';

/** Text of a program without what looks like a secret: rather too much than too little. */
export function maskSecretText(text: string): string {
  return [...CREDENTIALS, ASSIGNED].reduce((rest, pattern) => rest.replace(pattern, SECRET_MASK), text);
}

/** The value of a flag such as `--token` or `--db-password`, where a space stands before it. */
const FLAG_VALUE = /(?<=(?:^|\s)--?[\w-]*(?:token|secret|passwd|password|api[_-]?key) +)(?!-)\S+/gi;

/** A command line without what looks like a secret, in variables, addresses and flags. */
export function maskCommand(command: string): string {
  return maskSecretText(command).replace(FLAG_VALUE, SECRET_MASK);
}

/** Prose without credentials: behind `token:` and the like, what reads as a word or as code stays. */
export function maskCredentials(text: string): string {
  const masked = CREDENTIALS.reduce((rest, pattern) => rest.replace(pattern, SECRET_MASK), text);
  return masked.replace(ASSIGNED, value => (isRandom(value) ? SECRET_MASK : value));
}

/** Eight characters or more with letters and digits or marks among them, and neither a call, a path, a number nor a name of parts. */
function isRandom(value: string): boolean {
  if (value.length < 8 || /[()[\]{}<>/\\]|=>|\.\w+$/.test(value)) return false;
  return /[A-Za-z]/.test(value) && (/\d/.test(value) || /[!@#$%^&*+=?~]/.test(value));
}
