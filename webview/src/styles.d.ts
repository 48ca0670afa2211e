declare module '*.css';
/** Text of the bundle of `graph/layout/layoutWorker.ts` (esbuild.mjs). */
declare module 'worker:layout' {
  const text: string;
  export default text;
}
