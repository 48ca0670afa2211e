import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ColumnOf } from '../../server/src/base/branded';
import { type FileFacts, NO_TEXT, type StringIndex, textOf } from '../../server/src/model/facts';
import { MODIFIERS } from '../../server/src/model/nodes';
import { danglingRows } from '../helpers/danglingRows';
import { dumpAssignments, dumpBindings, dumpExports, dumpFunctions, dumpHeritage, dumpImports, dumpReferences, dumpSymbols } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const folder = join(import.meta.dirname, '../fixtures/languages/python');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

const SECTIONS: Readonly<Record<string, (facts: FileFacts) => string[]>> = {
  symbols: dumpSymbols,
  functions: dumpFunctions,
  bindings: dumpBindings,
  imports: dumpImports,
  exports: dumpExports,
  heritage: dumpHeritage,
  assignments: dumpAssignments,
  references: dumpReferences,
};

function dump(facts: FileFacts): string {
  const sections = Object.entries(SECTIONS).map(([name, lines]) => [name, lines(facts)] as const);
  return `${sections.flatMap(([name, lines]) => (lines.length === 0 ? [] : [`${name}\n${lines.map(line => `  ${line}\n`).join('')}`])).join('\n')}`;
}

describe('facts of whole files', () => {
  test.each(readdirSync(folder).filter(name => /\.pyi?$/.test(name)))('%s', async name => {
    const facts = await reader.facts('python', readFileSync(join(folder, name), 'utf8'));
    await expect(dump(facts)).toMatchFileSnapshot(join(folder, `${name}.facts`));
  });
});

describe('any text', () => {
  const nested = (open: string, close: string): string => `x = ${open.repeat(3000)}1${close.repeat(3000)}\ny = z()\n`;
  const texts: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['blank', '\n\n  \t\n'],
    ['a byte order mark', '\uFEFFx = 1\n'],
    ['only a comment', '# nothing'],
    ['no characters of Python', '\u0000\u0001 ¶ ∆ \u{1F600}'],
    ['unterminated string', 'def f():\n  """never closed\n  return g()\n'],
    ['unterminated format', 'x = f"{a.b(\ny = c()\n'],
    ['tabs and spaces', 'def f():\n\tif a:\n        b()\n\telse:\n\t\tc()\n'],
    ['old print', 'print "a", b\nprint >>sys.stderr, "x"\nraise E, "x"\nexcept E, e: pass\n'],
    ['carriage returns', 'def f():\r  return 1\rclass C:\r  pass\r'],
    ['brackets without end', '((((['.repeat(500)],
    ['deep parentheses', nested('(', ')')],
    ['deep lists', nested('[', ']')],
    ['deep calls', nested('f(', ')')],
    ['deep blocks', Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}if a:`).join('\n')],
    ['long chain of operators', `x = ${'a + '.repeat(20_000)}a\n`],
    ['long chain of members', `x = ${'a.'.repeat(5000)}a\n`],
    ['long chain of calls', `x = a${'.b()'.repeat(5000)}\n`],
    ['ten thousand statements', 'x = f(x)\n'.repeat(10_000)],
    ['a deep type', `x: ${'list['.repeat(2000)}int${']'.repeat(2000)}\ny: "${'list['.repeat(2000)}int"\n`],
    ['half of a definition', 'def \nclass \n@\nimport \nfrom . import\nlambda\nasync\n'],
  ];
  test.each(texts)('%s', async (_, text) => {
    const facts = await reader.facts('python', text);
    expect(danglingRows(facts)).toEqual([]);
    expect(facts.strings[0]).toBe('');
    expect(structuredClone(facts)).toEqual(facts);
    expect(await reader.facts('python', text)).toEqual(facts);
  });

  test('every prefix of a file gives facts', async () => {
    const text = readFileSync(join(folder, 'classes.py'), 'utf8');
    for (let length = 0; length < text.length; length += 11)
      expect({ length, dangling: danglingRows(await reader.facts('python', text.slice(0, length))) }).toEqual({ length, dangling: [] });
  });

  test('what stands after broken code is still found', async () => {
    const facts = await reader.facts('python', 'def broken(:\n    pass\n\ndef whole(a):\n    return helper(a)\n');
    expect(dumpSymbols(facts).some(line => line.startsWith('function whole'))).toBe(true);
    expect(facts.syntax.errorNodes).toBeGreaterThan(0);
  });
});

describe('what describes a symbol', () => {
  async function symbol(text: string, name: string): Promise<Readonly<Record<'signature' | 'doc' | 'firstLine' | 'hash', string> & { complexity: number }>> {
    const facts = await reader.facts('python', text);
    const row = facts.symbols.name.findIndex(word => textOf(facts, word) === name);
    const { signature, doc, firstLine, hash, complexity } = facts.symbols;
    const word = (column: ColumnOf<StringIndex>): string => textOf(facts, column[row] ?? NO_TEXT);
    return { signature: word(signature), doc: word(doc), firstLine: word(firstLine), hash: word(hash), complexity: complexity[row] ?? 0 };
  }

  test('signature, doc and first line', async () => {
    const text = '@deco\nasync def f(\n    a: int,  # first\n    b = 2,\n) -> str:\n    r"""Says\n\n       more.\n    """\n    # note\n    return g(a)\n';
    expect(await symbol(text, 'f')).toMatchObject({
      signature: 'async def f(a: int, b = 2) -> str',
      doc: 'Says\n\nmore.',
      firstLine: 'return g(a)',
      complexity: 1,
    });
  });

  test.each([
    ['a mark inside a string', 'def f(color="#fff", size=2):\n    pass\n', 'def f(color="#fff", size=2)'],
    ['notes between parameters', "def f(  # all of it\n    a,  # it's one\n    b='#2',\n):\n    pass\n", "def f(a, b='#2')"],
  ])('a signature is without comments: %s', async (_, text, signature) => {
    expect(await symbol(text, 'f')).toMatchObject({ signature });
  });

  test('a fixture is no test, whatever its name', async () => {
    const text = '@pytest.fixture\ndef test_apps(): ...\n\n@fixture(scope="module")\ndef test_shop(): ...\n\n@mark.slow\ndef test_pays(): ...\n';
    const facts = await reader.facts('python', text);
    const { modifiers, name } = facts.symbols;
    const tests = [...name].filter((_, row) => ((modifiers[row] ?? 0) & MODIFIERS.test) !== 0);
    expect(tests.map(word => textOf(facts, word))).toEqual(['test_pays']);
  });

  test('long signatures and docs are cut', async () => {
    const { signature, doc } = await symbol(`def f(${'a, '.repeat(400)}):\n    """${'x'.repeat(3000)}"""\n`, 'f');
    expect([signature.length, doc.length]).toEqual([300, 2000]);
  });

  test.each([
    ['straight', 'return 1', 1],
    ['branches', 'if a:\n        b\n    elif c:\n        d\n    else:\n        e', 3],
    ['loops and guards', 'for a in b:\n        while c and d or e:\n            pass', 5],
    ['handlers', 'try:\n        a\n    except A:\n        b\n    except B:\n        c', 3],
    ['expressions', 'return [a for a in b if a], (x if y else z), (lambda: p and q)', 5],
    ['cases', 'match a:\n        case 1: pass\n        case 2: pass', 3],
    ['inner functions count for themselves', 'def g():\n        if a: pass\n    return g', 1],
  ])('complexity: %s', async (_, body, expected) => {
    expect((await symbol(`def f():\n    ${body}\n`, 'f')).complexity).toBe(expected);
  });

  test('a hash changes with its own unit of source only', async () => {
    const before = 'class C:\n    def m(self):\n        return 1\n\n    x = 1\n';
    const edits = {
      lineAbove: `\n${before}`,
      body: before.replace('return 1', 'return 2'),
      signature: before.replace('m(self)', 'm(self, a)'),
      member: before.replace('x = 1', 'x = 2'),
    };
    const hashes = async (text: string): Promise<string[]> => [(await symbol(text, 'C')).hash, (await symbol(text, 'm')).hash];
    const original = await hashes(before);
    const same: Record<string, boolean[]> = {};
    for (const [name, text] of Object.entries(edits)) same[name] = (await hashes(text)).map((hash, at) => hash === original[at]);
    expect(same).toEqual({ lineAbove: [true, true], body: [true, false], signature: [false, false], member: [false, true] });
  });

  test('references inside strings point at the name', async () => {
    const facts = await reader.facts('python', 'x: "Optional[pkg.User]"\n');
    expect(dumpReferences(facts)).toEqual(['0:17 type pkg@0.User in -']);
  });
});
