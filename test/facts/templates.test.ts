import { expect, test } from 'vitest';
import { templateCode } from '../../server/src/code/facts/languages/typescript/templates';

test.each([
  ['vue', '<i :a="b"\n>{{ c }}</i>', ';(b)\n;( c );'],
  ['vue', '<i @a="b = 1; c()" d="e" v-f="[g"></i>', ';{b = 1; c()};'],
  ['vue', '<i v-for="(a, b) in c" :d="a.b + b + e.a"/>', ';(c); ;(µ.b + µ + e.a);'],
  ['vue', '<i :a=\'{ b: c }\' :d="e &amp;&amp; f" :g="\'// \' + h // i"/>', ';({ b: c });'],
  ['svelte', '<i a={b}>{@html c}{#if d}{:else}{/if}</i>', ';b; ;c; ;d;'],
  ['svelte', '{#each a\nas b (b.c)}{b}{d}{/each}<style>i { e: f }</style>{{}}', ';a\n;µ;;d;'],
  ['svelte', '<!-- {a} -->{@const b = c(b)}{#snippet d(e)}{e}{"}"}{f', '; c(µ); ;µ;;"}";'],
] as const)('the markup of %s `%s` holds `%s`', (language, markup, code) => {
  const read = templateCode(markup, language);
  expect(read.replaceAll(/ +/g, ' ').replaceAll(/^ | $/gm, '')).toBe(code);
  expect(read.split('\n').map(line => line.length)).toEqual(markup.split('\n').map(line => line.length));
  // What is code stands where it stood.
  for (const { 0: word, index } of read.matchAll(/[A-Za-z]+/g)) expect(markup.slice(index, index + word.length)).toBe(word);
});

test.each([
  ['vue', '<a "'],
  ['vue', '{{'],
  ['vue', '<a :b="'],
  ['vue', '<!-- '],
  ['svelte', '{'],
  ['svelte', '{#each '],
  ['svelte', '{"'],
  ['svelte', '<style>'],
] as const)('markup of %s that closes nothing (%s, over and over) is read in time that grows with its length', (language, text) => {
  const timeOf = (times: number): number => {
    const markup = text.repeat(times);
    const began = process.cpuUsage().user;
    expect(templateCode(markup, language)).toHaveLength(markup.length);
    return process.cpuUsage().user - began;
  };
  timeOf(1000);
  // Were it quadratic, sixteen times the length would take 256 times as long.
  expect(timeOf(40_000)).toBeLessThan(80 * Math.max(timeOf(2500), 2000));
});
