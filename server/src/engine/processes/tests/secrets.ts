const SECRET_NAME = /(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH)/i;
const SECRET_TEXT: readonly RegExp[] = [
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|npm_|AKIA|ASIA|AIza)[\w-]{12,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=\b(?:[Bb]earer|[Bb]asic) )[\w+/.=-]{8,}/g,
  /(?<=\b[\w-]*(?:token|secret|passwd|password|api[_-]?key)["']?\s*[=:]\s*["']?)[^\s"',;]{4,}/gi,
  /(?<=:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/g,
];
const MASK = '***';
const SHORTEST = 6;

/** Text without what looks like a secret, and without the values of variables that are called like one. */
export function maskSecrets(text: string, environment: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= SHORTEST ? [value] : [],
  );
  const masked = values.reduce((rest, value) => rest.replaceAll(value, MASK), text);
  return SECRET_TEXT.reduce((rest, pattern) => rest.replace(pattern, MASK), masked);
}
