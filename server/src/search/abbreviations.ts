import { tokensOfWord } from './tokenizer';

/** Long and short forms that programmers use for one another, in common use across languages; each line is one word. */
const FORMS = `
  argument arg|arguments args|attribute attr|authentication auth|authorization auth|boolean bool|buffer buf|calculate calc|callback cb|character char|command cmd
  communicate comm|compare cmp|configuration config cfg conf|connection conn|context ctx|coroutine coro|database db|decrement dec|default def|delete del|destination dest dst
  dictionary dict mapping|difference diff|directory dir|document doc|element elem el|enumerate enum|environment env|error err|evaluate eval|event evt|exception exc
  execute exec|expression expr|extension ext|format fmt|function func fn|generate gen|identifier id ident|image img|implementation impl|increment inc|index idx
  information info|initialize init|initialise init|insert ins|instance inst|instantiate init|integer int|interface iface|iterator iter|iterate iter|iterable iter|keyword kw
  language lang|length len|library lib|location loc|manager mgr|maximum max|memory mem|message msg|metadata meta|minimum min|middleware mw|module mod|number num
  numeric num|object obj|operation op|operator op|option opt|original orig|package pkg|parameter param|password passwd|pointer ptr|position pos|previous prev|process proc
  property prop|query qry|reference ref|register reg|regular reg|regexp regex re|relative rel|remove rm|repository repo|representation repr|request req|resource res|response resp res
  result res|return ret|select sel|sequence seq|server srv|session sess|source src|specification spec|standard std|statement stmt|statistics stats|string str|synchronize sync
  table tbl|temporary temp tmp|transaction tx txn|utility util|utilities utils|value val|variable var|vector vec|version ver|window win|asynchronous async|synchronous sync`;

/** For each token the tokens of its other forms; made once per index. */
export function otherForms(): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, Set<string>>();
  for (const line of FORMS.split(/[|\n]/)) {
    const tokens = line.trim().split(/\s+/).flatMap(word => tokensOfWord(word).slice(0, 1));
    for (const token of tokens) {
      const others = forms.get(token) ?? new Set();
      for (const other of tokens) if (other !== token) others.add(other);
      forms.set(token, others);
    }
  }
  return new Map([...forms].map(([token, others]) => [token, [...others]]));
}
