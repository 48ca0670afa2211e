/** What credentials look like wherever they stand: keys with a known prefix, signed tokens, private keys, values behind `Bearer`, passwords in URLs. */
const CREDENTIALS: readonly RegExp[] = [
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|AKIA|ASIA|AIza)(?=[\w-]*\d)[\w-]{12,}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
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
  return maskKnown(text).replace(ASSIGNED, value => (isRandom(value) ? SECRET_MASK : value));
}

/** A text behind a name such as `token` or `password`, in quotes. */
const QUOTED = /((?:token|secret|passwd|password|api[_-]?key)["']?\s*(?::\s*\w+\s*)?(?::=|[=:])\s*)(["'`])([^"'`\s]{8,})\2/gi;

/** Code without the credentials written into it; names and types stay. */
export function maskLiterals(code: string): string {
  const masked = maskKnown(code);
  return masked.replace(QUOTED, (all, before: string, quote: string, value: string) => (isRandom(value) ? `${before}${quote}${SECRET_MASK}${quote}` : all));
}

/** What has the form of a credential, whatever stands before it. */
export function maskKnown(text: string): string {
  // Nearly all texts end here: one pattern is tried instead of all.
  if (!BEGINNINGS.test(text)) return text;
  return CREDENTIALS.reduce((rest, pattern) => rest.replace(pattern, SECRET_MASK), text);
}

/** Something of each of `CREDENTIALS`. */
const BEGINNINGS = /gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|npm_|A[KS]IA|AIza|eyJ|-----BEGIN|[Bb](?:earer|asic) |:\/\/[^\s/@]*:/;

const MIN_CREDENTIAL_WORD = 16;
const RUNS_OF_RANDOM = 9;

/** A run of letters and digits that is part of a credential: it has a known prefix, or letters and digits in turns as no name has. */
export function isCredentialWord(word: string): boolean {
  if (word.length < MIN_CREDENTIAL_WORD) return false;
  if (/^(?:gh[pousr]_|github_pat_|AKIA|ASIA|AIza|eyJ)/.test(word) && /\d/.test(word)) return true;
  return word.length >= 20 && (word.match(/\d+|[A-Za-z]+/g)?.length ?? 0) >= RUNS_OF_RANDOM;
}

/** Eight characters or more with letters and digits or marks among them, and neither a call, a path, a number nor a name of parts. */
function isRandom(value: string): boolean {
  if (value.length < 8 || /[()[\]{}<>/\\]|=>|\.\w+$/.test(value)) return false;
  return /[A-Za-z]/.test(value) && (/\d/.test(value) || /[!@#$%^&*+=?~]/.test(value));
}
