/** Which files a Linux build on amd64 leaves out by their names: `poll_windows.go`, `asm_arm64.go`. */

const SYSTEMS: ReadonlySet<string> = new Set(
  'aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos'.split(' '),
);
const PROCESSORS: ReadonlySet<string> = new Set(
  '386 amd64 amd64p32 arm arm64 armbe arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm'.split(
    ' ',
  ),
);

export function isLeftOutByName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/(?:_test)?\.go$/, '');
  const parts = name.split('_').slice(1);
  const last = parts.pop();
  if (last === undefined) return false;
  if (SYSTEMS.has(last)) return last !== 'linux';
  if (!PROCESSORS.has(last)) return false;
  const before = parts.pop();
  return last !== 'amd64' || (before !== undefined && SYSTEMS.has(before) && before !== 'linux');
}
