import { describe, expect, test } from 'vitest';
import { casesOf } from '../../../helpers/casesOf';

describe('macros of Rust that declare tests', () => {
  const lib = 'pub fn price() {}\npub fn stock() {}\n';
  const macro =
    'macro_rules! check {\n    ($name:ident, $body:expr) => {\n        #[test]\n        #[ignore]\n        fn $name() { $crate::stock(); $body(); }\n    };\n}\n';

  test('a macro of the same file names its tests in its calls, and what these hand over is part of them', async () => {
    const files = {
      'src/lib.rs': `${lib}#[cfg(test)]\nmod tests {\n${macro}check!(cheap, || crate::price());\ncheck!(dear, || {});\n}\n`,
    };
    expect(await casesOf(files, 'src/lib.rs::price')).toEqual(['tests::cheap']);
    expect(await casesOf(files, 'src/lib.rs::stock')).toEqual(['tests::cheap', 'tests::dear']);
  });

  test.each([
    ['rgtest!(cheap, |a| { shop::price(); });', ['cheap']],
    ['rgtest! { cheap, shop::price() }', ['cheap']],
    ['other!(cheap, |a| { shop::price(); });', []],
    ['#[cfg(test)]\nmod tests { other!(cheap, |a| { shop::price(); }); }', ['tests::cheap']],
    ['#[cfg(test)]\nmod tests { other!(Cheap, |a| { shop::price(); }); }', []],
    ['mod more { test_all!(price, stock); use shop::price; }', []],
  ])('a macro of another file: %s', async (text, cases) => {
    const files = {
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/lib.rs': lib,
      'tests/all.rs': `#[macro_use]\nmod macros;\nmod feature;\n`,
      'tests/macros.rs': 'macro_rules! rgtest { ($name:ident, $fun:expr) => { #[test] fn $name() { $fun(1); } } }\n',
      'tests/feature.rs': `${text}\n`,
    };
    const found = await casesOf(files, 'src/lib.rs::price');
    expect(found.filter(name => !name.includes('.rs'))).toEqual(cases);
  });
});
