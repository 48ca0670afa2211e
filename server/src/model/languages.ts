/**
 * Every language Lattice knows by name: the one registration. From it `npm run update` writes the tables of extractors and rules
 * (`code/facts/languages/extractors.ts` and `digests.ts`, `code/resolve/languages/rules.ts`) and the languages of the editor (`server/protocol/editorLanguages.ts`).
 * `grammar` names the wasm file in `dist/grammars` (none: file node only). Rows may share a folder (`family`): TypeScript, TSX and JavaScript do.
 * What rooms that know no language ask of one stands here as a trait.
 */
export interface LanguageRow {
  readonly id: string;
  readonly name: string;
  readonly extensions: readonly string[];
  readonly grammar?: string;
  readonly family?: string;
  /** A file is one component, called after the file: the only facts that depend on a path. */
  readonly isComponent?: true;
  /** Its ids in the editor, where they differ from `id`. */
  readonly editorIds?: readonly string[];
  /** Tests are known by their name alone, and in files of tests only: elsewhere the same name means nothing. */
  readonly namesTests?: true;
  /** A doc comment that stands inside what it documents. */
  readonly docInside?: RegExp;
  /** A comment that means something to those who build the code. */
  readonly directive?: RegExp;
  /** Every name of a module can be imported, so that nothing says which are meant to be. */
  readonly exportsAll?: true;
  /** What the body of a class assigns belongs to the class, not to its instances. */
  readonly classBodyIsStatic?: true;
  /** The body of a class is code that runs when its file is loaded. */
  readonly classBodyRuns?: true;
  /** Files that are tests by the conventions of the runners in use. */
  readonly testFiles?: TestFileNames;
  /** How a signature is compared with an older one. */
  readonly signatures?: SignatureRules;
  /** Names of methods that operators, protocols or the standard library call without saying so; whole names. */
  readonly calledByRuntime?: RegExp;
  /** What the signature of such a method looks like, where others may have the name. */
  readonly runtimeSignature?: RegExp;
  /** Of those, what is called on few objects only: where the project calls such a method by name, the library is not expected to. */
  readonly seldomByRuntime?: RegExp;
  /** Types of the language and its library, as IDs name them, that call no methods of types derived from them, but for those in `calledByRuntime`. */
  readonly passiveBases?: RegExp;
  /** A function `main` is where a program begins. */
  readonly beginsAtMain?: true;
  /** Files are named in snake case where no other shows how; in the spelling of their type without it. */
  readonly snakeFileNames?: true;
  /** Members are named without their object. */
  readonly implicitSelf?: true;
  /** The files of a folder are one package. */
  readonly folderIsPackage?: true;
  /** Functions that run when their package is loaded. */
  readonly runsOnLoad?: RegExp;
  /** Methods of a type of tests that a library runs around its cases, by name. */
  readonly setUps?: RegExp;
  /** Classes of tests that stand in others are run with what those set up. */
  readonly sharesSetUps?: true;
  /** A function runs the cases that stand in it when it is called, and fails with them. */
  readonly runsOwnCases?: true;
  /** Signature of a case that stands for all cases of its package outside of functions. */
  readonly runsPackageCases?: RegExp;
  /** A field of a type is a value of it, made with what it is a field of. */
  readonly fieldsAreValues?: true;
  /** Signature of a function that is a member of a literal. */
  readonly literalMember?: RegExp;
  /** Signature of a group of tests, or of a case, that is a call with a title. */
  readonly titledBlock?: RegExp;
  /** Signature of a variable or constant that is declared with a function as its value: what that function uses, it uses when it is called. */
  readonly functionValue?: RegExp;
}

export interface TestFileNames {
  /** Matches the name of a file, without its folder. */
  readonly name: RegExp;
  /** Matches the name of a folder, anywhere in the path, that holds tests only. */
  readonly folder?: RegExp;
  /** Matches the name of a folder below which no folder is taken for one of tests: it holds what is delivered. */
  readonly delivered?: RegExp;
  /** Name of a new test, without extension, where no other shows how they are named; `*` is the name of what it tests. */
  readonly usual: string;
  /** Functions in such files that are measured when somebody asks, and not run with the tests; by their names. */
  readonly benchmark?: RegExp;
}

/** How two signatures of a language are told apart: what a caller notices. */
export interface SignatureRules {
  /**
   * What the parameters of a signature are to callers; as they are written without it.
   * `unnamed`: `name: type` binds by position, its name says nothing. `grouped`: `name, name type`, names say nothing. `typeFirst`: `type name`, the same.
   * `unannotated`: names bind, types do not, and whatever else is given by name (`**rest`) may be added.
   */
  readonly parameters?: 'unnamed' | 'grouped' | 'typeFirst' | 'unannotated';
  /** Where names count as they are written, although most callers do not write them. */
  readonly names?: ParameterNames;
  /**
   * `named`: results in parentheses may have names, which say nothing. `unbound`: what is written of the result binds nobody.
   * `inferred`: a result that is not written follows from the code, and may be what another signature writes. `first`: it stands before the name.
   */
  readonly result?: 'named' | 'unbound' | 'inferred' | 'first';
  /** Replacements, in order, on the signature in one line: what is written in several ways but means one. */
  readonly rewrites?: readonly (readonly [pattern: RegExp, replacement: string])[];
  /** `any`: a parameter or property without a type may hold what one of some type does. */
  readonly untyped?: 'any';
  /** `free`: what stands before a declaration (`static`, `final`, who may see it) is nothing to who uses it, and a type may have further bases. */
  readonly modifiers?: 'free';
  /** What types are declared as (`type Name …`) that are taken and given in place of it. */
  readonly assignable?: RegExp;
  /** A method need not override anything. */
  readonly overridesFreely?: true;
  /** Fields of structures are hidden unless they are exported by themselves. */
  readonly hidesFields?: true;
}

/** Names of parameters as callers give them. */
export interface ParameterNames {
  /** The name in a parameter, as its first group, with its place. */
  readonly pattern: RegExp;
  /** What stands behind a name in a call; absent where no call can name a parameter. */
  readonly sign?: '=' | ':';
}

/** A word behind a type: `const char *name`, not the type itself as in `unsigned long`. */
const NAME_IN_C =
  /^(?!(?:(?:const|volatile|struct|class|enum|union|typename|unsigned|signed|long|short)\s+)*\w+$).*[\s*&>](?!(?:int|long|char|short|double|float|bool|const)\b)([A-Za-z_]\w*)(?:\s*\[[^\]]*\])*\s*(?:=.*)?$/d;

/** Macros that say who may link to it, two names of one type, where a star stands, that a function overrides, does not throw or is what the compiler makes, and that a member itself does not change. */
const C_REWRITES = [
  [/\s*(?:\b(?:override|final|noexcept)\b|=\s*default\b)/g, ''],
  [/\b[A-Z][A-Z0-9]*_(?:API|EXPORTS?|IMPORTS?|PUBLIC|DECL|CALL|INLINE|DEPRECATED|NODISCARD)(?:_\w+)?(?:\([^()]*\))?\s+/g, ''],
  [/\bunsigned char\b/g, 'uint8_t'],
  [/\bstd::(?=va_list|size_t|u?int\d+_t)/g, ''],
  [/\btemplate\s*</g, 'template <'],
  [/\s*,\s*/g, ', '],
  [/\*\s*const\b/g, '*'],
  [/\s*([*&]+)\s*/g, '$1 '],
] as const;

/** Properties that a constructor declares are parameters to who calls it. */
const PHP_REWRITES = [
  [/\b(?:public|private|protected|readonly)\s+(?=(?:readonly\s+)?[?\w|\\]*\s*&?\$)/g, ''],
  [/\bmixed\s+(?=&?\$)/g, ''],
] as const;

/** What only warns: whether a reference may be null. What is nobody else's: attributes, and what a constructor calls. */
const CSHARP_REWRITES = [
  [/\s*:\s*(?:base|this)\(.*$/, ''],
  [/\[[A-Z]\w*(?:\([^()]*\))?\]\s*/g, ''],
  [/\s*\bwhere \w+ : notnull\b/g, ''],
  [
    /(?<!\b(?:bool|byte|char|decimal|double|float|int|long|nint|nuint|sbyte|short|uint|ulong|ushort|DateOnly|DateTime|DateTimeOffset|Guid|TimeOnly|TimeSpan))\s*\?(?=[\s,)\]>&[]|$)/g,
    '',
  ],
  [/\s+\?(?=\w)/g, ' '],
] as const;

const SCRIPT = {
  testFiles: { name: /\.(?:test|spec|cy|e2e)\.[cm]?[jt]sx?$/, folder: /^(?:__tests__|__mocks__|tests?|e2e|cypress)$/, usual: '*.test' },
  signatures: { parameters: 'unnamed', result: 'inferred', overridesFreely: true },
  literalMember: /^(?:(?:async|get|set)\s+)?\*?\s*(?:[\w$]+|'[^']*'|"[^"]*")\s*[:(]/,
  titledBlock: /^\(?\s*['"`]/,
  passiveBases: /^(?:(?:node:)?events(?:\.EventEmitter)?|\w*Error)$/,
} as const;

/** Also source sets of Gradle and Kotlin: `src/integrationTest`, `src/component-test`, `src/jvmTest`. */
const JVM_TEST_FOLDER =
  /^(?:test|testFixtures|[a-z][A-Za-z0-9]*Test|(?:acceptance|component|contract|e2e|end-to-end|functional|integration|smoke|system|unit)-tests?)$/;

const JVM_TESTS = { name: /(?:Test|Tests|IT|Spec)\.(?:java|kts?|scala|groovy)$/, folder: JVM_TEST_FOLDER, usual: '*Test' } as const;

const C_TESTS = { name: /(?:^test_.*|_(?:test|unittest))\.[ch](?:c|pp|xx)?$/, folder: /^(?:tests?|unittests)$/, usual: '*_test' } as const;

/** All languages, the one place where they are registered. */
export const LANGUAGES = [
  { id: 'typescript', name: 'TypeScript', extensions: ['.ts', '.mts', '.cts'], grammar: 'typescript', family: 'typescript', ...SCRIPT },
  { id: 'tsx', name: 'TSX', extensions: ['.tsx'], grammar: 'tsx', family: 'typescript', editorIds: ['typescriptreact'], ...SCRIPT },
  {
    id: 'javascript',
    name: 'JavaScript',
    extensions: ['.js', '.mjs', '.cjs', '.jsx'],
    grammar: 'javascript',
    family: 'typescript',
    editorIds: ['javascript', 'javascriptreact'],
    ...SCRIPT,
  },
  { id: 'vue', name: 'Vue', extensions: ['.vue'], grammar: 'typescript', family: 'typescript', isComponent: true, ...SCRIPT },
  { id: 'svelte', name: 'Svelte', extensions: ['.svelte'], grammar: 'typescript', family: 'typescript', isComponent: true, ...SCRIPT },
  {
    id: 'python',
    name: 'Python',
    extensions: ['.py', '.pyi', '.pyw'],
    grammar: 'python',
    family: 'python',
    namesTests: true,
    docInside: /("{3}|'{3})[\s\S]*?\1/,
    exportsAll: true,
    classBodyIsStatic: true,
    classBodyRuns: true,
    snakeFileNames: true,
    testFiles: { name: /^(?:test_.*|.*_test|conftest|tests)\.pyi?$/, folder: /^tests?$/, usual: 'test_*' },
    // Of a value, only the name stays.
    signatures: {
      parameters: 'unannotated',
      names: { pattern: /^\**(\w+)/d, sign: '=' },
      result: 'unbound',
      overridesFreely: true,
      rewrites: [
        [/^(?:self|cls)\.(?=\w+\s*(?:[:=]|$))/, ''],
        [/^(class \w+)\((?:object)?\)/, '$1'],
        [/^(\w+)\s*[:=].*$/, '$1'],
        [/^([^(]*?):\s[^(]*$/, '$1'],
      ],
    },
    // Making an object is a call that can be seen.
    calledByRuntime: /^__(?!init__|new__|post_init__|init_subclass__)\w+__$/,
    passiveBases: /^(?:object|abc\.ABC|typing(?:_extensions)?\.(?:Generic|Protocol|NamedTuple|TypedDict)|\w*(?:Error|Exception|Warning))$/,
    functionValue: /^[^=]*=\s*lambda\b/,
    // Of unittest and pytest, for classes; those for modules run once the file is loaded.
    setUps: /^(?:(?:setUp|tearDown)(?:Class)?|async(?:SetUp|TearDown)|(?:setup|teardown)(?:_method|_class)?)$/,
    runsOnLoad: /^(?:setUpModule|tearDownModule|(?:setup|teardown)_(?:module|function))$/,
  },
  {
    id: 'go',
    name: 'Go',
    extensions: ['.go'],
    grammar: 'go',
    family: 'go',
    folderIsPackage: true,
    namesTests: true,
    runsOnLoad: /^(?:init|TestMain)$/,
    setUps: /^(?:(?:Set[Uu]p|TearDown)(?:Suite|Test|SubTest)|(?:Before|After)Test)$/,
    runsOwnCases: true,
    runsPackageCases: /^(?:\w+\.)?RunSpecs\(/,
    fieldsAreValues: true,
    functionValue: /^[^=]*=\s*func\b/,
    beginsAtMain: true,
    directive: /^\/\/(?:go:|export |\s*\+build )/,
    testFiles: { name: /_test\.go$/, usual: '*_test', benchmark: /^Benchmark(?![a-z])/ },
    signatures: {
      parameters: 'grouped',
      result: 'named',
      // The receiver says nothing; the empty interface has two names.
      rewrites: [
        [/^func \([^)]*\) /, 'func '],
        [/\binterface ?\{ ?\}/g, 'any'],
        // Tags are for those who read them at run time.
        [/^(\w.*\S) `[^`]*`$/, '$1'],
      ],
      assignable: /^(?:func\b|\[|map\[|(?:<-)?chan\b|\*)/,
    },
    // Methods of interfaces of the standard library, which types have without saying so.
    calledByRuntime:
      /^(?:ServeHTTP|RoundTrip|String|GoString|Error|Unwrap|Is|As|Read|Write|Close|Seek|ReadFrom|WriteTo|Flush|Hijack|Format|Scan|Len|Less|Swap|Push|Pop|(?:Unm|M)arshal(?:JSON|Text|XML|YAML)|Value|Done|Err|Deadline|Open|Stat|Header|WriteHeader)$/,
    runtimeSignature:
      /\b(?:(?:String|GoString|Error|Unwrap|Flush|Hijack|Len|Pop|Close|Done|Err|Deadline|Stat|Header|Marshal\w+)\(\)|(?:Read|Write)\(\w* ?\[\]byte\)|(?:ServeHTTP|RoundTrip|Is|As|Seek|ReadFrom|WriteTo|Format|Scan|Less|Swap|Push|Unmarshal\w+|Value|Open|WriteHeader)\()/,
    // The methods of a context: most objects that have them are never given away as one.
    seldomByRuntime: /^(?:Value|Done|Err|Deadline)$/,
  },
  {
    id: 'java',
    name: 'Java',
    extensions: ['.java'],
    grammar: 'java',
    family: 'java',
    implicitSelf: true,
    beginsAtMain: true,
    testFiles: JVM_TESTS,
    // Of JUnit 3; later ones say it by annotations.
    setUps: /^(?:setUp|tearDown)$/,
    sharesSetUps: true,
    signatures: { parameters: 'typeFirst', result: 'first', modifiers: 'free' },
  },
  {
    id: 'rust',
    name: 'Rust',
    extensions: ['.rs'],
    grammar: 'rust',
    family: 'rust',
    snakeFileNames: true,
    beginsAtMain: true,
    testFiles: { name: /^tests\.rs$/, folder: /^tests$/, usual: 'tests' },
    signatures: { parameters: 'unnamed', hidesFields: true },
  },
  {
    id: 'csharp',
    name: 'C#',
    extensions: ['.cs'],
    grammar: 'csharp',
    family: 'csharp',
    implicitSelf: true,
    beginsAtMain: true,
    signatures: { names: { pattern: /\s@?(\w+)\s*(?:=.*)?$/d, sign: ':' }, result: 'first', modifiers: 'free', rewrites: CSHARP_REWRITES },
    // Of xUnit; others say it by attributes.
    setUps: /^(?:Dispose(?:Async)?|InitializeAsync)$/,
    testFiles: { name: /Tests?\.cs$/, folder: /(?:^|\.)Tests?$/, usual: '*Tests' },
  },
  {
    id: 'c',
    name: 'C',
    extensions: ['.c'],
    grammar: 'c',
    family: 'cpp',
    beginsAtMain: true,
    signatures: { names: { pattern: NAME_IN_C }, result: 'first', modifiers: 'free', rewrites: C_REWRITES },
    testFiles: C_TESTS,
  },
  {
    id: 'cpp',
    name: 'C++',
    extensions: ['.cc', '.cpp', '.cxx', '.c++', '.h', '.hh', '.hpp', '.hxx', '.h++', '.inl', '.ipp', '.tpp'],
    grammar: 'cpp',
    family: 'cpp',
    beginsAtMain: true,
    signatures: { names: { pattern: NAME_IN_C }, result: 'first', modifiers: 'free', rewrites: C_REWRITES },
    testFiles: C_TESTS,
  },
  {
    id: 'php',
    name: 'PHP',
    extensions: ['.php', '.phtml'],
    grammar: 'php',
    family: 'php',
    signatures: {
      overridesFreely: true,
      names: { pattern: /\$(\w+)/d, sign: ':' },
      result: 'inferred',
      modifiers: 'free',
      untyped: 'any',
      rewrites: PHP_REWRITES,
    },
    testFiles: { name: /Test\.php$/, folder: /^[Tt]ests$/, usual: '*Test' },
    setUps: /^(?:setUp|tearDown)(?:BeforeClass|AfterClass)?$/,
  },
  {
    id: 'ruby',
    name: 'Ruby',
    extensions: ['.rb', '.rake', '.gemspec', '.ru'],
    grammar: 'ruby',
    family: 'ruby',
    implicitSelf: true,
    classBodyRuns: true,
    snakeFileNames: true,
    signatures: { overridesFreely: true, names: { pattern: /^[*&]*(\w+)/d, sign: ':' } },
    testFiles: { name: /_(?:spec|test)\.rb$/, folder: /^(?:spec|test)$/, delivered: /^lib$/, usual: '*_spec' },
    setUps: /^(?:setup|teardown|(?:before|after)_(?:setup|teardown))$/,
    passiveBases: /^(?:Struct|\w*Error|Exception)$/,
    functionValue: /^[^=]*=\s*(?:->|(?:lambda|proc|Proc\.new)\b)/,
    // Protocols of the language and its libraries: what is callable, enumerated, converted or compared, and what stands in for missing methods.
    calledByRuntime:
      /^(?:call|each|to_(?:s|str|a|ary|h|hash|proc|i|int|sym|path|io|json)|inspect|<=>|===?|=~|eql\?|hash|coerce|method_missing|respond_to_missing\?|const_missing|initialize_(?:copy|dup|clone))$/,
  },
  {
    id: 'kotlin',
    name: 'Kotlin',
    extensions: ['.kt', '.kts'],
    grammar: 'kotlin',
    family: 'kotlin',
    implicitSelf: true,
    beginsAtMain: true,
    sharesSetUps: true,
    signatures: {
      names: { pattern: /^(?:(?:vararg|noinline|crossinline|private|protected|val|var|@\w+)\s+)*(\w+)(?=\s*:)/d, sign: '=' },
      result: 'inferred',
      modifiers: 'free',
    },
    functionValue: /^[^=]*=\s*(?:\{|fun\b)/,
    testFiles: JVM_TESTS,
  },
  { id: 'scala', name: 'Scala', extensions: ['.scala', '.sc'], grammar: 'scala', family: 'scala', beginsAtMain: true, testFiles: JVM_TESTS },
  { id: 'bash', name: 'Bash', extensions: ['.sh', '.bash'], grammar: 'bash', family: 'bash', editorIds: ['shellscript'] },
  { id: 'lua', name: 'Lua', extensions: ['.lua'], grammar: 'lua', family: 'lua' },
] as const satisfies readonly LanguageRow[];

/** Tests by their name in languages that are not indexed: they are files of tests all the same. */
export const OTHER_TEST_FILES: ReadonlyMap<string, TestFileNames> = new Map([
  ['.groovy', JVM_TESTS],
  ['.swift', { name: /Tests?\.swift$/, folder: /Tests$/, usual: '*Tests' }],
]);

/** Id of a language in the table, which is also that of VS Code where it has one. */
export type LanguageId = (typeof LANGUAGES)[number]['id'];

const BY_EXTENSION: ReadonlyMap<string, LanguageId> = new Map(LANGUAGES.flatMap(row => row.extensions.map(extension => [extension, row.id] as const)));

/** Language of a file by its lower-case extension with the dot; `undefined` when it gets a file node only. */
export function languageOfExtension(extension: string): LanguageId | undefined {
  return BY_EXTENSION.get(extension);
}

const BY_ID: ReadonlyMap<string, LanguageRow & (typeof LANGUAGES)[number]> = new Map(LANGUAGES.map(row => [row.id, row]));

/** The row of a language. */
export function languageRow(id: LanguageId): LanguageRow & (typeof LANGUAGES)[number] {
  const row = BY_ID.get(id);
  if (row === undefined) throw new RangeError(`unknown language ${id}`);
  return row;
}

const NO_LANGUAGE: Partial<LanguageRow> = {};

/** What a row says of a language; nothing where there is none. */
export function traitsOf(language: LanguageId | undefined): Partial<LanguageRow> {
  return language === undefined ? NO_LANGUAGE : languageRow(language);
}
