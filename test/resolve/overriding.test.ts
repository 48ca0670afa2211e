/** Which calls may run a method that overrides the one they name. */
import { expect, test } from 'vitest';
import { linksOf, resolveFiles } from '../helpers/resolveFixture';

/** Lines of the calls that may run `target`, by a call of what it overrides. */
async function possibleCalls(path: string, text: string, target: string): Promise<number[]> {
  const { ids, resolutions } = await resolveFiles(new Map([[path, text]]));
  return linksOf(ids, resolutions)
    .filter(link => link.relation === 'CALLS' && link.target === target && link.source === 'dispatch')
    .map(({ line }) => line)
    .sort((left, right) => left - right);
}

const PYTHON = `class Base:
    def send(self): raise NotImplementedError
    @staticmethod
    def make(): pass
    def run(self): self.send()
class Heir(Base):
    def send(self): super().send()
    @staticmethod
    def make(): pass
def go(adapter: Base):
    adapter.send()
    Base.send(adapter)
    Base().send()
    Base.make()
`;

test('Python: calls on an object, not of super, of the class itself or on what is just made', async () => {
  expect(await possibleCalls('a.py', PYTHON, 'a.py::Heir::send')).toEqual([4, 10]);
  expect(await possibleCalls('a.py', PYTHON, 'a.py::Heir::make')).toEqual([]);
});

const JAVA = `class Base {
  void step() {}
  private void own() {}
  void run() { step(); own(); }
}
class Heir extends Base {
  @Override void step() { super.step(); }
  void own() {}
}
class Use {
  void go(Base base) {
    base.step();
    new Base().step();
  }
}
`;

test('Java: also without a receiver, and no private method', async () => {
  expect(await possibleCalls('Base.java', JAVA, 'Base.java::Heir::step')).toEqual([3, 11]);
  expect(await possibleCalls('Base.java', JAVA, 'Base.java::Heir::own')).toEqual([]);
});

test('Go: a type that embeds another one is none of its heirs', async () => {
  const text = 'package a\ntype Base struct{}\nfunc (b *Base) Step() {}\ntype Outer struct{ Base }\nfunc (o *Outer) Step() {}\nfunc Go(b *Base) { b.Step() }\n';
  expect(await possibleCalls('a.go', text, 'a.go::Outer::Step')).toEqual([]);
});
