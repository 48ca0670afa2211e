import { describe, expect, test } from 'vitest';
import { testsReaching } from '../../../../server/src/features/testSelection/reach/reachedTests';
import { NO_NODE } from '../../../../server/src/model/ids';
import { readTexts } from '../../../helpers/surfaceOf';

/** The cases that reach a symbol, without the path of their file, sorted. */
async function casesOf(files: Readonly<Record<string, string>>, id: string): Promise<readonly string[]> {
  const { graph } = await readTexts(new Map(Object.entries(files)));
  const start = graph.find(id) ?? NO_NODE;
  expect(start, id).not.toBe(NO_NODE);
  return testsReaching(graph, new Set([start]))
    .tests.map(({ node }) => graph.idOf(node).replace(/^[^:]+::/, ''))
    .toSorted();
}

describe('Kotest', () => {
  const parser = 'package shop\nfun parse() {}\nfun other() {}\nfun prepare() {}\n';
  const head = 'package shop\nimport io.kotest.core.spec.style.*\n';

  test.each([
    ['StringSpec({\n  "reads names" { parse() }\n  "fails" { other() }\n})', ['reads names']],
    ['FunSpec({\n  context("a parser") {\n    test("reads names") { parse() }\n    test("fails") { other() }\n  }\n})', ['a parser::reads names']],
    ['DescribeSpec({\n  describe("a parser") {\n    it("reads names") { parse() }\n    xit("fails") { other() }\n  }\n})', ['a parser::reads names']],
    [
      'BehaviorSpec({\n  given("a parser") {\n    `when`("it reads") {\n      then("it is done") { parse() }\n    }\n  }\n})',
      ['a parser::it reads::it is done'],
    ],
    ['WordSpec({\n  "a parser" should {\n    "read names" { parse() }\n    "fail" { other() }\n  }\n})', ['a parser::read names']],
    ['FreeSpec({\n  "a parser" - {\n    "reads names" { parse() }\n    "fails" { other() }\n  }\n})', ['a parser::reads names']],
    ['FeatureSpec({\n  feature("parsing") {\n    scenario("of names") { parse() }\n  }\n})', ['parsing::of names']],
    ['FunSpec({\n  test("reads names").config(tags = setOf(Slow)) { parse() }\n  "x".run { other() }\n})', ['reads names']],
    ['FunSpec() {\n  init {\n    test("reads names") { parse() }\n  }\n}', ['reads names']],
    ['FunSpec({\n  val load = { parse() }\n  beforeTest { prepare() }\n  test("loads") { load() }\n})', ['loads']],
  ])('%s', async (spec, cases) => {
    const files = { 'shop/Parser.kt': parser, 'shop/ParserTest.kt': `${head}class ParserTest : ${spec}\n` };
    expect(await casesOf(files, 'shop/Parser.kt::parse')).toEqual(cases.map(name => `ParserTest::${name}`));
  });

  test('what is set up for a specification or a group, all cases in it run', async () => {
    const spec = (word: string) =>
      `${head}class ParserTest : FunSpec({\n  ${word} { prepare() }\n  test("a") { parse() }\n  context("group") {\n    beforeEach { other() }\n    test("b") {}\n  }\n})\n`;
    const files = { 'shop/Parser.kt': parser, 'shop/ParserTest.kt': spec('beforeTest') };
    expect(await casesOf(files, 'shop/Parser.kt::prepare')).toEqual(['ParserTest::a', 'ParserTest::group::b']);
    expect(await casesOf(files, 'shop/Parser.kt::other')).toEqual(['ParserTest::group::b']);
  });

  test('rows of data are cases named by their parameter', async () => {
    const spec = `${head}class ParserTest : FunSpec({\n  context("group") {\n    withData(1, 2) { n -> parse() }\n  }\n})\n`;
    expect(await casesOf({ 'shop/Parser.kt': parser, 'shop/ParserTest.kt': spec }, 'shop/Parser.kt::parse')).toEqual(['ParserTest::group::${n}']);
  });
});

describe('JUnit and TestNG', () => {
  const shop =
    'package shop;\npublic class Shop {\n  public static void open() {}\n  public static void sell() {}\n  public static Object rows() { return null; }\n}\n';
  const inClass = (body: string): Readonly<Record<string, string>> => ({
    'shop/Shop.java': shop,
    'shop/ShopTest.java': `package shop;\nclass ShopTest {\n${body}\n}\n`,
  });

  test.each(['BeforeEach', 'BeforeAll', 'AfterEach', 'Before', 'AfterClass', 'BeforeMethod', 'org.junit.Before'])(
    'all cases of a class run what is below @%s',
    async name => {
      const files = inClass(
        `  @${name} public void prepare() { Shop.open(); }\n  @Test void sells() { Shop.sell(); }\n  @Nested class Closed {\n    @Test void fails() {}\n  }`,
      );
      expect(await casesOf(files, 'shop/Shop.java::Shop::open')).toEqual(['ShopTest::Closed::fails', 'ShopTest::sells']);
      expect(await casesOf(files, 'shop/Shop.java::Shop::sell')).toEqual(['ShopTest::sells']);
    },
  );

  test('cases of classes that inherit a set-up run it', async () => {
    const files = {
      'shop/Shop.java': shop,
      'shop/test/Base.java': 'package shop;\nabstract class Base {\n  @BeforeEach void prepare() { Shop.open(); }\n}\n',
      'shop/ShopTest.java': 'package shop;\nclass ShopTest extends Base {\n  @Test void sells() { Shop.sell(); }\n}\n',
      'shop/OtherTest.java': 'package shop;\nclass OtherTest {\n  @Test void other() { Shop.sell(); }\n}\n',
    };
    expect(await casesOf(files, 'shop/Shop.java::Shop::open')).toEqual(['ShopTest::sells']);
  });

  test.each([
    ['@MethodSource("rows")', 'sells'],
    ['@MethodSource({"others", "rows"})', 'sells'],
    ['@MethodSource(value = "rows")', 'sells'],
    ['@MethodSource', 'rows'],
  ])('%s leads to the method that makes the rows of a case', async (source, name) => {
    const files = inClass(
      `  @ParameterizedTest ${source} void ${name}(Object row) { Shop.sell(); }\n  @Test void other() {}\n  static Object rows() { return Shop.rows(); }\n  static Object others() { return null; }`,
    );
    const ids = await casesOf(files, 'shop/Shop.java::Shop::rows');
    expect(ids.map(id => id.replace(/#\d$/, ''))).toEqual([`ShopTest::${name}`]);
  });

  test('a case of a class that extends one of a library leads to no other case of it', async () => {
    const files = {
      'shop/Shop.java': shop,
      'shop/ShopTest.java':
        'package shop;\nimport org.lib.Kit;\nclass ShopTest extends Kit {\n  @Test void sells() { Shop.sell(); }\n  @Test void closes() {}\n  void prepare() { Shop.open(); }\n}\n',
    };
    expect(await casesOf(files, 'shop/Shop.java::Shop::sell')).toEqual(['ShopTest::sells']);
    expect(await casesOf(files, 'shop/Shop.java::Shop::open')).toEqual(['ShopTest::closes', 'ShopTest::sells']);
  });

  test('the same annotations count in Kotlin', async () => {
    const files = {
      'shop/Shop.kt': 'package shop\nfun unlock() {}\n',
      'shop/ShopTest.kt': 'package shop\nclass ShopTest {\n  @BeforeTest fun prepare() { unlock() }\n  @Test fun sells() {}\n  fun helper() {}\n}\n',
    };
    expect(await casesOf(files, 'shop/Shop.kt::unlock')).toEqual(['ShopTest::sells']);
  });
});

describe('NUnit and MSTest', () => {
  test.each(['SetUp', 'OneTimeSetUp', 'TearDown', 'TestInitialize', 'ClassCleanup'])('all cases of a class run what is below [%s]', async name => {
    const files = {
      'Shop.cs': 'namespace Shop;\npublic static class Till {\n  public static void Open() {}\n  public static void Sell() {}\n}\n',
      'tests/ShopTests.cs': `namespace Shop;\npublic class ShopTests {\n  [${name}] public void Prepare() { Till.Open(); }\n  [Test] public void Sells() { Till.Sell(); }\n  [Test] public void Closes() {}\n  void Helper() {}\n}\n`,
    };
    expect(await casesOf(files, 'Shop.cs::Till::Open')).toEqual(['ShopTests::Closes', 'ShopTests::Sells']);
    expect(await casesOf(files, 'Shop.cs::Till::Sell')).toEqual(['ShopTests::Sells']);
  });
});

describe('RSpec', () => {
  const parser = 'class Parser\n  def initialize; end\n  def self.load; end\n  def size; end\n  def names; end\nend\n';
  const inGroup = (body: string): Readonly<Record<string, string>> => ({
    'lib/parser.rb': parser,
    'test/parser_spec.rb': `RSpec.describe Parser do\n${body}\nend\n`,
  });

  test('described_class is the class that the group describes, in groups inside it, too', async () => {
    const files = inGroup(
      `  it 'loads' do\n    described_class.load\n  end\n  context 'with names' do\n    it 'counts' do\n      described_class.new.size\n    end\n  end\n  it 'waits' do\n  end`,
    );
    expect(await casesOf(files, 'lib/parser.rb::Parser::load')).toEqual(['Parser::loads']);
    expect(await casesOf(files, 'lib/parser.rb::Parser::size')).toEqual(['Parser::with names::counts']);
  });

  test('a subject with a name is called by that and as subject', async () => {
    const files = inGroup(`  subject(:parser) { described_class.new }\n  it 'counts' do\n    parser.size\n  end\n  it 'names' do\n    subject.names\n  end`);
    expect(await casesOf(files, 'lib/parser.rb::Parser::size')).toEqual(['Parser::counts']);
    expect(await casesOf(files, 'lib/parser.rb::Parser::names')).toEqual(['Parser::names']);
  });

  test('its(:size) is a case that calls that method of the subject', async () => {
    const files = inGroup(`  subject { described_class.new }\n  its(:size) { is_expected.to eq 3 }\n  its('names') { is_expected.to be_empty }`);
    expect(await casesOf(files, 'lib/parser.rb::Parser::size')).toEqual(['Parser::size']);
    expect(await casesOf(files, 'lib/parser.rb::Parser::names')).toEqual(['Parser::names']);
  });
});
