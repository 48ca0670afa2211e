import { maskSecretText, SECRET_MASK } from '../../../base/secretText';

const SECRET_NAME = /(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH)/i;
const MIN_SECRET_LENGTH = 6;

/** Text without what looks like a secret, and without the values of variables that are called like one. */
export function maskSecrets(text: string, environment: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= MIN_SECRET_LENGTH ? [value] : [],
  );
  return maskSecretText(values.reduce((rest, value) => rest.replaceAll(value, SECRET_MASK), text));
}
