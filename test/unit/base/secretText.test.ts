import { expect, test } from 'vitest';
import { isCredentialWord, maskKnown, maskLiterals } from '../../../server/src/base/secretText';
import { tokenize } from '../../../server/src/search/tokenizer';

// Made up, and put together here so that no scanner takes this file for a leak.
const GITHUB = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const NPM = `npm_${'a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6'}`;
const AWS = `AKIA${'IOSFODNN7EXAMPLE'}`;

test.each([
  [`TOKEN = "${GITHUB}"`, 'TOKEN = "***"'],
  [`const registry = '${NPM}'`, "const registry = '***'"],
  ['DSN = "postgres://app:hunter2@db/orders"', 'DSN = "postgres://app:***@db/orders"'],
  ['password := "c0rrect-horse!"', 'password := "***"'],
  ["apiKey: string = 'Zx81kk20Qp'", "apiKey: string = '***'"],
])('credentials in code are masked: %s', (code, masked) => {
  expect(maskLiterals(code)).toBe(masked);
});

test.each([
  'login(token: Uint8Array, password: Base64String): Promise<void>',
  'const npm_config_user_agent_v2 = read()',
  'PASSWORD_FIELD = "password"',
  'token = "{{ access_token_v2() }}"',
  'class="sk-toggleable__content"',
])('names, types and words stay: %s', code => {
  expect(maskLiterals(code)).toBe(code);
});

test('an address without a password stays', () => {
  expect(maskKnown('https://example.com:8080/a@b')).toBe('https://example.com:8080/a@b');
});

test('credentials are no words of the search index', () => {
  expect([GITHUB, AWS, 'f292c6912e7710c838347ae178b4a0d1'].map(isCredentialWord)).toEqual([true, true, true]);
  expect(['sha256Base64Utf8', 'internationalizationOptions2', 'github_path_of_repository'].map(isCredentialWord)).toEqual([false, false, false]);
  expect(tokenize(`token ${GITHUB}`)).toEqual(['token']);
});
