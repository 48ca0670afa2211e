import { basename, dirname, extname, type WorkspacePath } from '../../base/path';
import { type LanguageId, languageOfExtension } from '../../model/languages';

/** What a path alone tells about a file. */
export interface FileClass {
  readonly language: LanguageId | undefined;
  readonly isBinary: boolean;
  readonly isTest: boolean;
  readonly isGenerated: boolean;
  readonly isMinified: boolean;
}

export function classify(path: WorkspacePath): FileClass {
  const extension = extname(path);
  const name = basename(path);
  const language = languageOfExtension(extension);
  return {
    language,
    isBinary: language === undefined && BINARY_EXTENSIONS.has(extension),
    isTest: isTestPath(path),
    isGenerated: GENERATED_NAMES.some(pattern => pattern.test(name)) || GENERATED_FOLDERS.test(dirname(path)),
    isMinified: /[.-]min\.(?:js|mjs|cjs|css)$|\.bundle\.js$/i.test(name),
  };
}

/**
 * Files whose content is never read and which get no node: keys, certificates, credentials and environment files.
 * Examples meant to be shared (`.env.example`) are not among them.
 */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET_NAMES.some(pattern => pattern.test(lower)) && !/^\.env\.(?:example|sample|template|dist|defaults|schema)$/.test(lower);
}

const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(?:\..+)?$/,
  /^\.envrc$/,
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|asc|gpg)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^(?:\.npmrc|\.pypirc|\.netrc|_netrc|\.htpasswd|\.git-credentials|\.pgpass|\.my\.cnf|\.dockercfg)$/,
  /^(?:credentials|client_secrets?|service[-_]account(?:[-_]key)?)\.json$/,
  /^secrets?\.(?:json|ya?ml|toml)$/,
  /\.tfstate(?:\.backup)?$/,
];

interface TestConvention {
  readonly extensions: readonly string[];
  readonly name: RegExp;
  /** Folder anywhere in the path that holds tests only. */
  readonly folder?: RegExp;
}

const SCRIPT_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'];

/** Conventions of the test runners in use for each language (vitest, jest, mocha, playwright, cypress, pytest, go, cargo, JUnit…). */
const TEST_CONVENTIONS: readonly TestConvention[] = [
  { extensions: SCRIPT_EXTENSIONS, name: /\.(?:test|spec|cy|e2e)\.[cm]?[jt]sx?$/, folder: /^(?:__tests__|__mocks__|tests?|e2e|cypress)$/ },
  { extensions: ['.py', '.pyi'], name: /^(?:test_.*|.*_test|conftest|tests)\.pyi?$/, folder: /^tests?$/ },
  { extensions: ['.go'], name: /_test\.go$/ },
  { extensions: ['.rs'], name: /^tests\.rs$/, folder: /^tests$/ },
  {
    extensions: ['.java', '.kt', '.kts', '.scala', '.groovy'],
    name: /(?:Test|Tests|IT|Spec)\.(?:java|kts?|scala|groovy)$/,
    folder: /^(?:test|androidTest|testFixtures)$/,
  },
  { extensions: ['.cs'], name: /Tests?\.cs$/, folder: /(?:^|\.)Tests?$/ },
  { extensions: ['.rb'], name: /_(?:spec|test)\.rb$/, folder: /^(?:spec|test)$/ },
  { extensions: ['.php'], name: /Test\.php$/, folder: /^[Tt]ests$/ },
  { extensions: ['.c', '.cc', '.cpp', '.cxx', '.h', '.hpp'], name: /(?:^test_.*|_(?:test|unittest))\.[ch](?:c|pp|xx)?$/, folder: /^(?:tests?|unittests)$/ },
  { extensions: ['.swift'], name: /Tests?\.swift$/, folder: /Tests$/ },
];

const CONVENTION_BY_EXTENSION: ReadonlyMap<string, TestConvention> = new Map(
  TEST_CONVENTIONS.flatMap(row => row.extensions.map(extension => [extension, row] as const)),
);

/** By name and folder only; configuration of a test runner may say more. Files without a known convention are never tests. */
export function isTestPath(path: WorkspacePath): boolean {
  const convention = CONVENTION_BY_EXTENSION.get(extname(path));
  if (convention === undefined) return false;
  if (convention.name.test(basename(path))) return true;
  const { folder } = convention;
  return (
    folder !== undefined &&
    dirname(path)
      .split('/')
      .some(segment => folder.test(segment))
  );
}

const GENERATED_FOLDERS = /(?:^|\/)(?:__generated__|generated-sources|\.generated)(?:\/|$)/;

const GENERATED_NAMES: readonly RegExp[] = [
  /[._](?:generated|gen|g)\.[a-z]+$/i,
  /_pb2(?:_grpc)?\.pyi?$/,
  /_pb\.(?:d\.ts|ts|js)$/,
  /\.pb\.(?:go|cc|h|dart)$/,
  /_grpc_web_pb\./,
  /\.designer\.(?:cs|vb)$/i,
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock|poetry\.lock|uv\.lock|pipfile\.lock|cargo\.lock|composer\.lock|gemfile\.lock|go\.sum)$/i,
  /\.(?:js|css|mjs|cjs)\.map$/,
];

const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif bmp ico icns webp avif tif tiff psd heic mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg ogv woff woff2 ttf otf eot ' +
    'zip gz tgz bz2 xz 7z rar tar zst lz4 br jar war ear class dex apk aab ipa exe dll so dylib a lib o obj pdb wasm bin dat db sqlite sqlite3 ' +
    'pdf doc docx xls xlsx ppt pptx odt ods odp pyc pyo pyd whl egg nupkg vsix crx deb rpm dmg iso img node onnx pt pth npy npz parquet arrow ' +
    'feather h5 hdf5 pkl pickle tflite safetensors gguf mo beam rlib rmeta swf blend fbx glb stl'
  )
    .split(' ')
    .map(extension => `.${extension}`),
);
