import { expect, test } from 'vitest';
import { testsReaching } from '../../../../server/src/features/testSelection/reach/reachedTests';
import { NO_NODE } from '../../../../server/src/model/ids';
import { readTexts } from '../../../helpers/surfaceOf';

/** The cases that reach a symbol, by name, sorted. */
async function casesOf(files: Readonly<Record<string, string>>, id: string): Promise<readonly string[]> {
  const { graph } = await readTexts(new Map(Object.entries(files)));
  const start = graph.find(id) ?? NO_NODE;
  expect(start, id).not.toBe(NO_NODE);
  return testsReaching(graph, new Set([start]))
    .tests.map(({ node }) => graph.node(node).name)
    .toSorted();
}

const RENDER = `package web
type Render interface { Render() error }
type JSON struct{}
func (JSON) Render() error { return encode() }
type XML struct{}
func (XML) Render() error { return encode() }
type Text struct{}
func (Text) Render() error { return nil }
func encode() error { return nil }
type Context struct{}
func (c *Context) Write(r Render) { r.Render() }
func (c *Context) JSON() { c.Write(JSON{}) }
func (c *Context) XML() { c.Write(XML{}) }
func (c *Context) Text() { c.Write(Text{}) }
var _ Render = (*JSON)(nil)
`;
const TESTS = `package web
import "testing"
func TestJSON(t *testing.T) { c := &Context{}; c.JSON() }
func TestXML(t *testing.T) { c := &Context{}; c.XML() }
func TestText(t *testing.T) { c := &Context{}; c.Text() }
`;
const GO = { 'go.mod': 'module web\n', 'render.go': RENDER, 'render_test.go': TESTS };

test('a method that may run in place of another one is reached by the cases that name its type', async () => {
  expect(await casesOf(GO, 'render.go::JSON::Render')).toEqual(['TestJSON']);
  expect(await casesOf(GO, 'render.go::Text::Render')).toEqual(['TestText']);
});

test('what methods of several types call, each of the cases that name one of them reaches', async () => {
  expect(await casesOf(GO, 'render.go::encode')).toEqual(['TestJSON', 'TestXML']);
});

test('a value that is kept in a variable is named by the variable', async () => {
  const files = {
    ...GO,
    'kinds.go': 'package web\nvar (\n  Plain Render = Text{}\n  Other = 1\n)\n',
    'kinds_test.go':
      'package web\nimport "testing"\nfunc TestPlain(t *testing.T) { c := &Context{}; c.Write(Plain) }\nfunc TestOther(t *testing.T) { c := &Context{}; c.Write(make(Other)) }\n',
  };
  expect(await casesOf(files, 'render.go::Text::Render')).toEqual(['TestPlain', 'TestText']);
});

const PYTHON = {
  'lib/fields.py': `class Field:
    def load(self): raise NotImplementedError
class Number(Field):
    def load(self): return 1
class Text(Field):
    def load(self): return ''
def read(field: Field): return field.load()
`,
  'tests/test_fields.py': `from lib.fields import Number, Text, read
def test_number():
    read(Number())
def test_text():
    read(Text())
`,
};

test('the same in Python; a type that is made as a file is loaded may be anywhere', async () => {
  expect(await casesOf(PYTHON, 'lib/fields.py::Number::load')).toEqual(['test_number']);
  const registered = { ...PYTHON, 'lib/registry.py': 'from lib.fields import Number\nregister(Number())\n' };
  expect(await casesOf(registered, 'lib/fields.py::Number::load')).toEqual(['test_number', 'test_text']);
});

test('a table of a file of tests gives what it holds to the cases that take it', async () => {
  const files = {
    ...PYTHON,
    'tests/test_all.py': `import pytest
from lib.fields import Number, Text, read
ALL = [Number, Text]
@pytest.mark.parametrize('made', ALL)
def test_all(made):
    read(made())
`,
  };
  expect(await casesOf(files, 'lib/fields.py::Number::load')).toEqual(['test_all', 'test_number']);
});

test('who overrides a method that is reached in place of another one does not run that', async () => {
  const files = {
    ...PYTHON,
    'tests/test_own.py': 'from lib.fields import Text\ndef test_own():\n    field = Text()\n    field.load()\n',
  };
  expect(await casesOf(files, 'lib/fields.py::Number::load')).toEqual(['test_number']);
});
