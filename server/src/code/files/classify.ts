import { basename, dirname, extname, type WorkspacePath } from '../../base/path';
import { type LanguageId, languageOfExtension, OTHER_TEST_FILES, traitsOf } from '../../model/languages';
import { GENERATED_FILES } from '../../model/toolchains';

/** What a path alone tells about a file. */
export interface FileClass {
  readonly language: LanguageId | undefined;
  readonly isBinary: boolean;
  readonly isTest: boolean;
  readonly isGenerated: boolean;
  readonly isMinified: boolean;
}

/** What the path alone tells of a file: language, binary, test, generated. */
export function classify(path: WorkspacePath): FileClass {
  const extension = extname(path);
  const name = basename(path);
  const language = languageOfExtension(extension);
  return {
    language,
    isBinary: language === undefined && BINARY_EXTENSIONS.has(extension),
    isTest: isTestPath(path),
    isGenerated: GENERATED_FILES.some(pattern => pattern.test(name)) || GENERATED_FOLDERS.test(dirname(path)),
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

/** By name and folder only; configuration of a test runner may say more. Files without a known convention are never tests. */
export function isTestPath(path: WorkspacePath): boolean {
  const extension = extname(path);
  const language = languageOfExtension(extension);
  const names = language === undefined ? OTHER_TEST_FILES.get(extension) : traitsOf(language).testFiles;
  if (names === undefined) return false;
  if (names.name.test(basename(path))) return true;
  const { delivered, folder } = names;
  const folders = dirname(path).split('/');
  const at = folder === undefined ? -1 : folders.findIndex(segment => folder.test(segment));
  return at >= 0 && (delivered === undefined || !folders.slice(0, at).some(segment => delivered.test(segment)));
}

const GENERATED_FOLDERS = /(?:^|\/)(?:__generated__|generated-sources|\.generated)(?:\/|$)/;

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
