import { describe, expect, test } from 'vitest';
import { testsReaching } from '../../../../server/src/features/testSelection/reach/reachedTests';
import { NO_NODE } from '../../../../server/src/model/ids';
import { casesOf } from '../../../helpers/casesOf';
import { readTexts } from '../../../helpers/surfaceOf';

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

describe('set-ups of more than a class', () => {
  const files = (setUp: string): Readonly<Record<string, string>> => ({
    'Shop.cs': 'namespace Shop;\npublic static class Till {\n  public static void Open() {}\n}\n',
    'tests/Unit/Shop.Tests.csproj': '<Project Sdk="Microsoft.NET.Sdk" />',
    'tests/Unit/SetUp.cs': setUp,
    'tests/Unit/SellTests.cs': 'namespace Shop.Tests.Sell;\npublic class SellTests {\n  [Test] public void Sells() {}\n}\n',
    'tests/Unit/BuyTests.cs': 'namespace Shop.Tests;\npublic class BuyTests {\n  [TestMethod] public void Buys() {}\n}\n',
    'tests/Other/Other.Tests.csproj': '<Project Sdk="Microsoft.NET.Sdk" />',
    'tests/Other/OtherTests.cs': 'namespace Shop.Tests;\npublic class OtherTests {\n  [Test] public void Waits() {}\n}\n',
  });
  const all = ['BuyTests::Buys', 'SellTests::Sells'];

  test.each([
    ['NUnit', '[SetUpFixture] public class Everything', 'Shop.Tests', 'OneTimeSetUp', all],
    ['NUnit, of an inner namespace', '[SetUpFixture] public class Everything', 'Shop.Tests.Sell', 'OneTimeTearDown', ['SellTests::Sells']],
    ['NUnit, of a class without the attribute', 'public class Everything', 'Shop.Tests', 'OneTimeSetUp', []],
    ['MSTest', '[TestClass] public class Everything', 'Shop.Tests', 'AssemblyInitialize', all],
    ['MSTest, of a class', '[TestClass] public class Everything', 'Shop.Tests', 'ClassInitialize', []],
  ])('%s', async (_, head, namespace, attribute, cases) => {
    const setUp = `namespace ${namespace};\n${head} {\n  [${attribute}] public static void Prepare() { Till.Open(); }\n}\n`;
    expect(await casesOf(files(setUp), 'Shop.cs::Till::Open', 'certain')).toEqual(cases);
  });
});

describe('C#', () => {
  const shop =
    'namespace Shop;\npublic class Till {\n  public static void Open() {}\n  public static void Sell() {}\n  public static object[] Rows() => null;\n}\n';
  const inFile = (body: string): Readonly<Record<string, string>> => ({ 'Shop.cs': shop, 'tests/ShopTests.cs': `namespace Shop;\n${body}\n` });

  test.each([
    'ShopTests() { Till.Open(); }',
    'void Dispose() { Till.Open(); }',
    'async Task InitializeAsync() { Till.Open(); }',
    'ValueTask DisposeAsync() { Till.Open(); }',
  ])('xUnit: all cases of a class run its %s, those of a class inside do not', async setUp => {
    const files = inFile(`public class ShopTests {
  public ${setUp}
  [Fact] public void Sells() { Till.Sell(); }
  public class WhenClosed {
    [Theory] public void Fails() {}
  }
}`);
    expect(await casesOf(files, 'Shop.cs::Till::Open', 'certain')).toEqual(['ShopTests::Sells']);
    expect(await casesOf(files, 'Shop.cs::Till::Sell')).toEqual(['ShopTests::Sells']);
  });

  test.each([
    ['class ShopTests : IClassFixture<Database>', ''],
    ['[Collection("db")] public class ShopTests', 'public ShopTests(Database database) {}'],
    ['public class ShopTests(Database database) : IClassFixture<Database>', ''],
  ])('xUnit: %s { %s } is given a fixture, which its cases fail with', async (head, constructor) => {
    const files = {
      ...inFile(`${head} {\n  ${constructor}\n  [Fact] public void Sells() { Till.Sell(); }\n}\npublic class OtherTests {\n  [Fact] public void Waits() {}\n}`),
      'tests/Database.cs':
        'namespace Shop;\npublic class Database : IAsyncLifetime {\n  public Database() { Till.Open(); }\n  public Task InitializeAsync() { Till.Rows(); }\n  public void Other() { Till.Sell(); }\n}\n',
    };
    expect(await casesOf(files, 'Shop.cs::Till::Open', 'certain')).toEqual(['ShopTests::Sells']);
    expect(await casesOf(files, 'Shop.cs::Till::Rows', 'certain')).toEqual(['ShopTests::Sells']);
    expect(await casesOf(files, 'Shop.cs::Till::Sell', 'certain')).toEqual(['ShopTests::Sells']);
  });

  test.each([
    '[Theory, MemberData(nameof(Rows))]',
    '[Theory] [MemberData("Rows")]',
    '[TestCaseSource(nameof(Rows))]',
    '[TestCaseSource("Rows")]',
    '[DataTestMethod] [DynamicData(nameof(Rows), DynamicDataSourceType.Method)]',
  ])('%s leads to what makes the rows of a case', async attributes => {
    const files = inFile(
      `public class ShopTests {\n  ${attributes} public void Sells(object row) {}\n  [Fact] public void Waits() {}\n  public static object[] Rows() => Till.Rows();\n}`,
    );
    expect(await casesOf(files, 'Shop.cs::Till::Rows', 'certain')).toEqual(['ShopTests::Sells']);
  });

  test('[ClassData(typeof(Rows))] makes the rows of a case', async () => {
    const files = inFile(
      'public class Rows : TheoryData<int> {\n  public Rows() { Till.Rows(); }\n}\npublic class ShopTests {\n  [Theory, ClassData(typeof(Rows))] public void Sells(int row) {}\n  [Fact] public void Waits() {}\n}',
    );
    expect(await casesOf(files, 'Shop.cs::Till::Rows', 'certain')).toEqual(['ShopTests::Sells']);
  });

  test.each(['DockerFact', 'ConditionalTheory', 'TestCase(1)', 'TestMethod'])('[%s] makes a method a case', async attribute => {
    const files = inFile(`public class ShopTests {\n  [${attribute}] public void Sells() { Till.Sell(); }\n}`);
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

describe('Go', () => {
  const shop = 'package shop\nfunc Parse() {}\nfunc Other() {}\nfunc Prepare() {}\n';
  const inFile = (body: string, imports = '"testing"'): Readonly<Record<string, string>> => ({
    'go.mod': 'module x\n',
    'shop/shop.go': shop,
    'shop/shop_test.go': `package shop\nimport (\n${imports}\n)\n${body}\n`,
  });

  test('a subtest is a case, and the test around it fails with it; other subtests do not', async () => {
    const files = inFile(`func TestShop(t *testing.T) {
  Prepare()
  t.Run("parses names", func(t *testing.T) {
    Parse()
    t.Run("deeply", func(t *testing.T) { Other() })
  })
  t.Run("waits", func(t *testing.T) {})
}`);
    expect(await casesOf(files, 'shop/shop.go::Other')).toEqual(['TestShop', 'TestShop::parses names', 'TestShop::parses names::deeply']);
    expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual(['TestShop', 'TestShop::parses names', 'TestShop::parses names::deeply']);
    expect(await casesOf(files, 'shop/shop.go::Prepare')).toEqual(['TestShop', 'TestShop::parses names', 'TestShop::parses names::deeply', 'TestShop::waits']);
  });

  test.each([
    ['tt.name', '${tt.name}'],
    ['"a " + tt.name', 'a ${tt.name}'],
    ['fmt.Sprintf("row %d", i)', 'row %d'],
    ['`a "b"`', 'a "b"'],
    [String.raw`"a \"b\""`, 'a "b"'],
  ])('a subtest with the title %s is named %s', async (title, name) => {
    const files = inFile(`func TestShop(t *testing.T) {\n  for i, tt := range rows {\n    t.Run(${title}, func(t *testing.T) { Parse() })\n  }\n}`);
    expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual(['TestShop', `TestShop::${name}`]);
  });

  test('other things that are run are no cases', async () => {
    const files = inFile('func helper(g *Group) {\n  g.Run("x", func() { Parse() })\n}\nfunc TestShop(t *testing.T) { helper(nil) }');
    expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual(['TestShop']);
  });

  test('what a benchmark runs is no case', async () => {
    const files = inFile(`func BenchmarkShop(b *testing.B) {
  Parse()
  b.Run("parses", func(b *testing.B) { Parse() })
}
func TestShop(t *testing.T) { Other() }`);
    expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual([]);
    expect(await casesOf(files, 'shop/shop.go::Other')).toEqual(['TestShop']);
  });

  test('subtests of a helper fail the tests that call it, also through a table', async () => {
    const files = inFile(`func parses(t *testing.T) {\n  t.Run("it", func(t *testing.T) { Parse() })\n}
func TestOne(t *testing.T) { parses(t) }
func TestAll(t *testing.T) {\n  for _, f := range []func(*testing.T){parses} { f(t) }\n}
func TestOther(t *testing.T) { Other() }`);
    expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual(['TestAll', 'TestOne', 'parses::it']);
  });

  describe('testify and gocheck', () => {
    const suite = (body: string) => inFile(body, '"testing"\n"github.com/stretchr/testify/suite"');

    test.each(['new(ShopSuite)', '&ShopSuite{}', 'ShopSuite{}'])('methods of a suite are cases, run by the test that hands over %s', async made => {
      const files = suite(`type ShopSuite struct { suite.Suite }
func (s *ShopSuite) SetupTest() { Prepare() }
func (s *ShopSuite) TestParses() { Parse() }
func (s *ShopSuite) TestOther() {\n  s.Run("deeply", func() { Other() })\n}
func (s *ShopSuite) Testing() { Parse() }
func TestShop(t *testing.T) { suite.Run(t, ${made}) }
func TestAlone(t *testing.T) {}`);
      expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual(['ShopSuite::TestParses', 'TestShop']);
      expect(await casesOf(files, 'shop/shop.go::Other')).toEqual(['ShopSuite::TestOther', 'ShopSuite::TestOther::deeply', 'TestShop']);
      expect(await casesOf(files, 'shop/shop.go::Prepare')).toEqual([
        'ShopSuite::TestOther',
        'ShopSuite::TestOther::deeply',
        'ShopSuite::TestParses',
        'TestShop',
      ]);
    });

    test('cases of an embedded suite run in the suites that embed it, and what those set up counts for them', async () => {
      const files = {
        ...suite(`type ShopSuite struct { BaseSuite }
func (s *ShopSuite) SetupSuite() { Prepare() }
func (s *ShopSuite) TestOwn() { Other() }
func TestShop(t *testing.T) { suite.Run(t, new(ShopSuite)) }`),
        'shop/base_test.go': 'package shop\ntype BaseSuite struct { suite.Suite }\nfunc (s *BaseSuite) TestParses() { Parse() }\n',
      };
      expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual(['BaseSuite::TestParses', 'ShopSuite', 'TestShop']);
      expect(await casesOf(files, 'shop/shop.go::Other')).toEqual(['ShopSuite::TestOwn', 'TestShop']);
      expect(await casesOf(files, 'shop/shop.go::Prepare')).toEqual(['ShopSuite', 'ShopSuite::TestOwn', 'TestShop']);
    });

    test('cases of gocheck are given their checks', async () => {
      const files = inFile(
        'type S struct{}\nfunc (s *S) SetUpTest(c *check.C) { Prepare() }\nfunc (s *S) TestParses(c *check.C) { Parse() }',
        '"gopkg.in/check.v1"',
      );
      expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual(['S::TestParses']);
      expect(await casesOf(files, 'shop/shop.go::Prepare')).toEqual(['S::TestParses']);
    });
  });

  describe('Ginkgo', () => {
    const spec = (body: string) => ({
      ...inFile(body, '. "github.com/onsi/ginkgo/v2"'),
      'shop/suite_test.go':
        'package shop\nimport (\n"testing"\n"github.com/onsi/ginkgo/v2"\n)\nfunc TestBooks(t *testing.T) {\n  ginkgo.RunSpecs(t, "Books")\n}\nfunc TestAlone(t *testing.T) {}\n',
    });
    const runners = ['TestBooks', 'TestBooks::Books'];

    test('blocks are cases, which the suite of their package runs', async () => {
      const files = spec(`var _ = Describe("a shop", func() {
  BeforeEach(func() { Prepare() })
  It("parses", func() { Parse() })
  When("it is open", func() {
    BeforeEach(func() { Other() })
    FIt("sells", func() {})
    DescribeTable("rows", func(a int) {}, Entry("one", 1))
  })
})`);
      expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual([...runners, 'a shop::parses']);
      expect(await casesOf(files, 'shop/shop.go::Other')).toEqual([...runners, 'a shop::it is open::rows', 'a shop::it is open::sells']);
      expect(await casesOf(files, 'shop/shop.go::Prepare')).toEqual([...runners, 'a shop::it is open::rows', 'a shop::it is open::sells', 'a shop::parses']);
    });

    test('what a suite sets up, all cases of the package run', async () => {
      const files = spec('var _ = BeforeSuite(func() { Prepare() })\nvar _ = Describe("a shop", func() {\n  It("parses", func() { Parse() })\n})');
      expect(await casesOf(files, 'shop/shop.go::Prepare')).toEqual(['TestAlone', ...runners, 'a shop::parses']);
    });

    test('the same names mean nothing in other files', async () => {
      const files = inFile('func TestShop(t *testing.T) {\n  Describe("a shop", func() { Parse() })\n}');
      expect(await casesOf(files, 'shop/shop.go::Parse')).toEqual(['TestShop']);
    });
  });
});

describe('set-up methods that are known by their name', () => {
  const files = (extension: string, code: string, cases: string) => ({ [`lib/shop.${extension}`]: code, [`test/test_shop.${extension}`]: cases });

  test.each(['setUp', 'tearDownClass', 'setup_method', 'teardown_class', 'asyncSetUp'])('Python: %s', async name => {
    const shop = files(
      'py',
      'def prepare(): pass\ndef sell(): pass\n',
      `from lib.shop import prepare, sell\nclass TestShop:\n    def ${name}(self):\n        prepare()\n    def test_sells(self):\n        sell()\n    def test_waits(self):\n        pass\n    def helper(self):\n        pass\ndef test_alone():\n    pass\n`,
    );
    expect(await casesOf(shop, 'lib/shop.py::prepare', 'certain')).toEqual(['TestShop::test_sells', 'TestShop::test_waits']);
  });

  test.each(['setUpModule', 'setup_function'])('Python: %s', async name => {
    const shop = files('py', 'def prepare(): pass\n', `from lib.shop import prepare\ndef ${name}():\n    prepare()\ndef test_one():\n    pass\n`);
    expect(await casesOf(shop, 'lib/shop.py::prepare', 'certain')).toEqual(['test_one']);
  });

  test.each(['setup', 'teardown', 'before_setup'])('Ruby: %s', async name => {
    const shop = files(
      'rb',
      'class Shop\n  def self.prepare; end\nend\n',
      `class ShopTest < Minitest::Test\n  def ${name}\n    Shop.prepare\n  end\n  def test_sells\n  end\nend\nclass OtherTest < Minitest::Test\n  def test_other\n  end\nend\n`,
    );
    expect(await casesOf(shop, 'lib/shop.rb::Shop::prepare', 'certain')).toEqual(['ShopTest::test_sells']);
  });

  test.each(['setUp', 'tearDownAfterClass', 'setUpBeforeClass'])('PHP: %s', async name => {
    const shop = files(
      'php',
      '<?php\nclass Shop { static function prepare() {} }\n',
      `<?php\nclass ShopTest extends TestCase {\n  function ${name}(): void { Shop::prepare(); }\n  function testSells() {}\n}\nclass OtherTest extends TestCase {\n  function testOther() {}\n}\n`,
    );
    expect(await casesOf(shop, 'lib/shop.php::Shop::prepare', 'certain')).toEqual(['ShopTest::testSells']);
  });

  test('Java: setUp', async () => {
    const shop = files(
      'java',
      'public class Shop { static void prepare() {} }\n',
      'class ShopTest extends TestCase {\n  public void setUp() { Shop.prepare(); }\n  @Test public void sells() {}\n}\n',
    );
    expect(await casesOf(shop, 'lib/shop.java::Shop::prepare', 'certain')).toEqual(['ShopTest::sells']);
  });
});

describe('Functions that run later', () => {
  test('what a function in a package-level variable of Go uses, runs for who uses the variable, not when the package loads', async () => {
    const files = {
      'go.mod': 'module example.com/shop\n\ngo 1.22\n',
      'log.go':
        'package shop\n\nfunc color() string { return "" }\n\nvar format = func(name string) string {\n\treturn color() + name\n}\n\nvar width = len(color())\n\nfunc Write() string { return format("x") }\n\nfunc other() {}\n',
      'log_test.go': 'package shop\n\nimport "testing"\n\nfunc TestWrite(t *testing.T) { Write() }\n\nfunc TestOther(t *testing.T) { other() }\n',
    };
    const withoutWidth = { ...files, 'log.go': files['log.go'].replace('\nvar width = len(color())\n', '') };
    expect(await casesOf(withoutWidth, 'log.go::color')).toEqual(['TestWrite']);
    expect(await casesOf(files, 'log.go::color')).toEqual(['TestOther', 'TestWrite']);
  });

  test('members of literals that are handed on run with the file around', async () => {
    const files = {
      'package.json': '{"name": "shop", "devDependencies": {"mocha": "1.0.0"}}\n',
      'src/send.js': 'exports.send = function send() {};\n',
      'src/app.js':
        "var { send } = require('./send');\nmodule.exports = app => app.get('/', function (req, res) {\n  res.format({\n    html: function () { send(); },\n  });\n});\n",
      'test/app.test.js': "var app = require('../src/app');\nit('answers', function () { app(); });\n",
    };
    expect(await casesOf(files, 'src/send.js::send')).toEqual(['answers']);
  });

  test('getters of a literal run with what gets the literal, also those that only others of it read', async () => {
    const files = {
      'package.json': '{"name": "shop", "devDependencies": {"mocha": "1.0.0"}}\n',
      'src/request.js': 'module.exports = {\n  get host() { return 1; },\n  get hostname() { return this.host; },\n};\n',
      'src/app.js': "const request = require('./request');\nmodule.exports = () => Object.create(request);\n",
      'test/app.test.js': "const app = require('../src/app');\nit('answers', function () { app().hostname; });\n",
    };
    expect(await casesOf(files, 'src/request.js::hostname')).toEqual(['answers']);
    expect(await casesOf(files, 'src/request.js::host')).toEqual(['answers']);
  });
});

test.each(["const Emitter = require('node:events');", "const { EventEmitter: Emitter } = require('events');"])(
  'what derives from a type that calls none of its methods: %s',
  async emitter => {
    const files = {
      'package.json': '{"name": "shop", "devDependencies": {"mocha": "1.0.0"}}\n',
      'src/app.js': `${emitter}\nmodule.exports = class App extends Emitter {\n  open() { return this.answer(); }\n  answer() {}\n};\n`,
      'test/app.test.js': "var App = require('../src/app');\nit('opens', () => { new App().open(); });\nit('makes', () => { new App(); });\n",
    };
    expect(await casesOf(files, 'src/app.js::App::answer')).toEqual(['opens']);
    const ofLibrary = { ...files, 'src/app.js': files['src/app.js'].replace(/require\('.*'\)/, "require('server')") };
    expect(await casesOf(ofLibrary, 'src/app.js::App::answer')).toEqual(['makes', 'opens']);
  },
);

describe('Protocols of Ruby', () => {
  const shop =
    'class Till\n  def initialize(app)\n    @app = app\n  end\n\n  def call(env)\n    total(env)\n  end\n\n  def each\n    yield 1\n  end\n\n  def total(env)\n    env\n  end\n\n  def close\n  end\nend\n';
  const spec =
    "require_relative '../lib/till'\n\ndescribe Till do\n  it 'sells' do\n    Runner.new(Till.new(1)).get('/')\n  end\n\n  it 'does something else' do\n    1\n  end\nend\n";
  const files = { 'lib/till.rb': shop, 'spec/till_spec.rb': spec };

  test('what is callable or enumerated is possibly reached by who makes one, whoever calls it', async () => {
    expect(await casesOf(files, 'lib/till.rb::Till::call')).toEqual(['Till::sells']);
    expect(await casesOf(files, 'lib/till.rb::Till::total')).toEqual(['Till::sells']);
    expect(await casesOf(files, 'lib/till.rb::Till::each')).toEqual(['Till::sells']);
    expect(await casesOf(files, 'lib/till.rb::Till::close')).toEqual([]);
  });
});

test('what stands in a module of tests of Rust is code of tests, and no user', async () => {
  const { graph } = await readTexts(
    new Map([
      ['src/lib.rs', 'pub fn price() {}\n\n#[cfg(test)]\nmod tests {\n    fn helper() { crate::price(); }\n\n    #[test]\n    fn sells() { helper(); }\n}\n'],
    ]),
  );
  const named = (id: string) => graph.find(`src/lib.rs::${id}`) ?? NO_NODE;
  expect([named('price'), named('tests'), named('tests::helper'), named('tests::sells')].map(node => graph.isTest(node))).toEqual([false, true, true, true]);
  expect([named('tests'), named('tests::helper'), named('tests::sells')].map(node => graph.runsAsTest(node))).toEqual([false, false, true]);
  expect(testsReaching(graph, new Set([named('price')])).tests.map(({ node }) => graph.node(node).name)).toEqual(['sells']);
});
